"""Ops of lowered blocks that are loops of ``np.linalg``, for one matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from astrace.ir.specs import ArraySpec, GenericSpec, Spec
from astrace.ops.registry import Op, always
from astrace.ops.rules import nothing


def linalg_loop(name: str) -> np.ufunc:
    """Return the generalised ufunc that ``np.linalg`` calls.

    Args:
        name: of it.
    """
    module: Any = np.linalg
    return getattr(module._umath_linalg, name)


def apply_gufunc(out: Any, *arrays: Any, ufunc: str) -> None:
    """A generalised ufunc of ``np.linalg`` that gives an array, by NumPy's own loop."""
    with np.errstate(over="ignore", divide="ignore", under="ignore"):
        linalg_loop(ufunc)(*arrays, out=out)


def reduce_gufunc(array: Any, ufunc: str) -> Any:
    """A generalised ufunc of ``np.linalg`` that gives a number for a matrix, by NumPy's own loop."""
    return linalg_loop(ufunc)(array)


def _element(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
    return GenericSpec(args[0].dtype) if isinstance(args[0], ArraySpec) else None


def rows() -> Iterator[Op]:
    """One row for each op."""
    yield Op("apply_gufunc", apply_gufunc, nothing, writes=(0,), fresh=always)
    yield Op("reduce_gufunc", reduce_gufunc, _element, fresh=always)
