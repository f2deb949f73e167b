"""Ops of lowered blocks that are loops of ``np.linalg``, for one matrix, and of ``np.fft``, for arrays of one axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from astrace.ir.specs import ArraySpec, GenericSpec, Spec
from astrace.ops.registry import Op, always
from astrace.ops.rules import nothing


def linalg_loop(name: str) -> np.ufunc:
    """Return the generalised ufunc that ``np.linalg`` or ``np.fft`` calls.

    Args:
        name: of it.
    """
    if name in TRANSFORMS:
        transforms: Any = np.fft
        return getattr(transforms._pocketfft_umath, name)
    module: Any = np.linalg
    return getattr(module._umath_linalg, name)


TRANSFORMS: Final = frozenset({"fft", "ifft", "rfft_n_even", "rfft_n_odd", "irfft"})
"""The loops of ``np.fft``, since NumPy 2."""


def apply_transform(out: Any, given: Any, factor: Any, ufunc: str) -> None:
    """A Fourier transform of an array of one axis, times a number, by NumPy's own loop."""
    linalg_loop(ufunc)(given, factor, out=out)


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
    yield Op("apply_transform", apply_transform, nothing, writes=(0,), fresh=always)
    yield Op("reduce_gufunc", reduce_gufunc, _element, fresh=always)
