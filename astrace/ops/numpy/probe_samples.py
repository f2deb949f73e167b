"""Tiny objects that stand in for values of which only the spec is known, in several ways (`WAYS`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from astrace.ir.specs import (
    FLOAT,
    AnySpec,
    ArraySpec,
    Dim,
    GenericSpec,
    ListSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
)

SMALL: Final = 3
"""Dimensions up to this size keep it; larger ones are stood in for, as unknown ones are."""
MOST_SIZE: Final = 10**6
PLAIN: Final = (
    *(int, float, complex, str, bytes, range, type(None), type(...)),
    *(np.generic, np.ndarray, np.dtype, type),
)
"""Constants that functions may be given while tracing; code of the user's must not run."""


class NoStandIn(Exception):
    """A value of which too little is known to be stood in for."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to stand in for what is not known.

    Args:
        size: the size of dimension number ``i`` of ``n`` whose sizes are not known.
        numbers: a Python number of each kind.
        content: what arrays hold.
        step: by how much each integer is larger than the one before it.
    """

    size: Callable[[int, int], int]
    numbers: Mapping[str, Any]
    content: float = 1
    step: int = 0

    def at(self, place: int) -> Way:
        """Return the way to stand in for the value at a place among all.

        Args:
            place: its number.
        """
        if not self.step:
            return self
        return replace(self, numbers={**self.numbers, "int": max(0, self.numbers["int"] + self.step * place)})


def _numbers(whole: int, fraction: float, other: complex, truth: bool) -> Mapping[str, Any]:
    return {"bool": truth, "int": whole, "float": fraction, "complex": other}


def _rising(index: int, count: int) -> int:
    return 5 + index


def _falling(index: int, count: int) -> int:
    return 8 + count + count % 2 - index


APART: Final = (
    Way(_rising, _numbers(2, 0.5, 0.5 + 0.25j, True)),
    Way(_falling, _numbers(1, 0.25, 2j, False)),
)
"""All dimensions apart: each is larger than another in one way and smaller in the other."""
ALIKE: Final = (
    Way(lambda index, count: 1, _numbers(1, 0.5, 1j, True)),
    Way(lambda index, count: 3, _numbers(3, 0.5, 1j, True)),
    Way(lambda index, count: 0, _numbers(0, 0.5, 1j, True)),
)
"""All dimensions alike: many functions want some of them equal, or give less where there is nothing."""
OTHER_CONTENT: Final = Way(_rising, _numbers(0, 0.0, 0j, False), content=0)
COUNTS: Final = Way(_rising, _numbers(2, 0.5, 1j, True), content=2)
"""Integers in arrays, which may be sizes (``np.fft.fft(x, n)``): a function may refuse to make nothing."""
WAYS: Final = (*APART, OTHER_CONTENT, *ALIKE)
NUMBERS_APART: Final = (
    Way(_rising, _numbers(1, 0.5, 1j, True), step=1),
    Way(_rising, _numbers(4, 0.5, 1j, True), step=-1),
)
"""Integers apart: from one to another there may be something (``np.arange(i, j)``), or nothing."""


def stand_in(leaf: Any, sizes: Mapping[Dim, int], way: Way) -> Any:
    """An object that a spec describes; a plain constant stands for itself."""
    match leaf:
        case ArraySpec() | GenericSpec() if leaf.dtype.kind in (
            "OV" if isinstance(leaf, ArraySpec) else "OVSU"
        ):
            raise NoStandIn  # of a text alone the length is that of its value
        case ArraySpec():
            return _array(tuple(_size(dim, sizes) for dim in leaf.shape), leaf.dtype, way)
        case GenericSpec():
            return _generic(leaf.dtype, way)
        case ScalarSpec():
            return way.numbers[leaf.kind]
        case LiteralSpec():
            return stand_in(leaf.value, sizes, way)
        case TupleSpec() if leaf.cls is tuple:
            return tuple(stand_in(item, sizes, way) for item in leaf.items)
        case ListSpec() if leaf.element is not None:
            items = [stand_in(one, sizes, way) for one in _kinds_of_items(leaf.element)]
            return [items[place % len(items)] for place in range(_size(leaf.length, sizes))]
        case AnySpec() | UnionSpec() | TupleSpec() | ListSpec():
            raise NoStandIn
        case _ if not isinstance(leaf, PLAIN):
            raise NoStandIn
        case _:
            return leaf


def _kinds_of_items(element: Spec) -> tuple[Spec, ...]:
    """Return the types that items of a list have: NumPy takes floats of Python's and its own for the same."""
    return element.options if isinstance(element, UnionSpec) and element in FLOATS else (element,)


FLOAT64: Final = GenericSpec(np.dtype(np.float64))
FLOATS: Final = (UnionSpec((FLOAT, FLOAT64)), UnionSpec((FLOAT64, FLOAT)))


def _size(dim: Dim, sizes: Mapping[Dim, int]) -> int:
    return dim if isinstance(dim, int) and dim <= SMALL else sizes[dim]


def _array(shape: Sequence[int], dtype: np.dtype[Any], way: Way) -> np.ndarray[Any, Any]:
    """An array of harmless numbers; a square matrix is symmetric and positive definite, unless it is zero."""
    if np.prod(shape) > MOST_SIZE:
        raise NoStandIn
    if dtype.kind in "SU":
        return np.full(shape, "1" if way.content else "", dtype)
    if dtype.kind in "mM":
        return np.full(shape, int(way.content), np.dtype("i8").newbyteorder(dtype.byteorder)).view(dtype)
    array = np.full(shape, way.content, dtype)
    if dtype.kind not in "fc" or not way.content:
        return array
    array *= 0.25
    is_square = len(shape) >= 2 and shape[-1] == shape[-2]
    if is_square:
        array += np.eye(shape[-1], dtype=dtype)
    if dtype.kind == "c":
        array += 0.05j * (np.triu(array, 1) - np.tril(array, -1)) if is_square else 0.05j
    return array


def _generic(dtype: np.dtype[Any], way: Way) -> Any:
    """A NumPy scalar; integers may be counts, as Python's are."""
    kinds = {"i": "int", "u": "int", "c": "complex"}
    number = way.numbers[kinds[dtype.kind]] if dtype.kind in kinds else way.content
    return _array((), dtype, way)[()] if dtype.kind in "mM" else np.full((), number, dtype)[()]
