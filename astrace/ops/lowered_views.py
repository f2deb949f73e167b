"""Ops of lowered blocks that give views of arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from astrace.ir.specs import ArraySpec, Spec
from astrace.ops.registry import Op
from astrace.ops.rules import spec_of


def slice_of(array: Any, *places: int, axes: str) -> Any:
    """A view: for each axis of the array an index, or a start, a size and a step.

    Args:
        array: the array.
        places: the integers.
        axes: ``i`` for an axis with an index; one with a start, a size and a step is ``:`` where the step is positive
            and ``-`` where it is negative.
    """
    given = iter(places)
    key: list[Any] = []
    turned: list[slice] = []
    for axis in axes:
        start = next(given)
        if axis == "i":
            key.append(start)
            continue
        size, step = next(given), next(given)
        if axis == "-":
            key.append(slice(start + (size - 1) * step, start + 1, -step))
        else:
            key.append(slice(start, start + size * step, step))
        turned.append(slice(None, None, -1 if axis == "-" else 1))
    return array[tuple(key)][tuple(turned)]


def transpose_of(array: Any) -> Any:
    """A view with the axes in the other order."""
    return array.T


def reshape_of(array: Any, *sizes: int) -> Any:
    """A view with other axes of an array whose elements follow each other in memory."""
    return array.reshape(sizes)


def _view(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
    rank = len(kwargs["axes"]) - kwargs["axes"].count("i")
    return ArraySpec((None,) * rank, args[0].dtype) if isinstance(args[0], ArraySpec) else None


def _reshaped(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
    return ArraySpec((None,) * (len(args) - 1), args[0].dtype) if isinstance(args[0], ArraySpec) else None


def _turned(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
    return spec_of(args[0])


def rows() -> Iterator[Op]:
    """One row for each op."""
    yield Op("slice_of", slice_of, _view)
    yield Op("transpose_of", transpose_of, _turned)
    yield Op("reshape_of", reshape_of, _reshaped)
