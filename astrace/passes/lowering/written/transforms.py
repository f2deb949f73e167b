"""Fourier transforms of arrays of one axis, by the loops that ``np.fft`` calls, shifts of frequencies, and windows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from astrace.passes.lowering.forms import COMPLEX, FLOAT
from astrace.passes.lowering.written.loops import transform
from astrace.passes.lowering.written.terms import Function, Steps, Term


def _given(steps: Steps, a: Any, dtype: np.dtype[Any]) -> Term:
    """Return an array of one axis as the loop takes it."""
    steps.require(
        isinstance(a, Term) and a.ndim == 1 and a.dtype in (FLOAT, dtype), "other things than an array"
    )
    return steps.kept(a) if a.dtype == dtype else steps.kept(steps("ndarray.astype", a, dtype.type))


def _size(steps: Steps, n: Any, default: Any) -> Any:
    """Return the number of items that are transformed: one at least."""
    steps.require(
        n is None or type(n) is int or (isinstance(n, Term) and not n.is_array and n.dtype.kind == "i")
    )
    size = default if n is None else n
    steps.unless(steps("ge", size, 1))
    return size


def _fft(steps: Steps, a: Any, n: Any = None) -> Term:
    given = _given(steps, a, COMPLEX)
    out = steps("np.empty", _size(steps, n, given.shape[0]), np.complex128)
    transform(steps, "fft", out, given, 1.0)
    return out


def _ifft(steps: Steps, a: Any, n: Any = None) -> Term:
    given = _given(steps, a, COMPLEX)
    size = _size(steps, n, given.shape[0])
    out = steps("np.empty", size, np.complex128)
    transform(steps, "ifft", out, given, 1.0 / steps("float", size))
    return out


def _rfft(steps: Steps, a: Any, n: Any = None) -> Term:
    given = _given(steps, a, FLOAT)
    size = _size(steps, n, given.shape[0])
    out = steps("np.empty", size // 2 + 1, np.complex128)
    steps.either(
        steps("eq", size % 2, 0),
        lambda: transform(steps, "rfft_n_even", out, given, 1.0),
        lambda: transform(steps, "rfft_n_odd", out, given, 1.0),
    )
    return out


def _irfft(steps: Steps, a: Any, n: Any = None) -> Term:
    given = _given(steps, a, COMPLEX)
    size = _size(steps, n, (given.shape[0] - 1) * 2)
    out = steps("np.empty", size, np.float64)
    transform(steps, "irfft", out, given, 1.0 / steps("float", size))
    return out


def _shift(sign: int) -> Function:
    """The zero frequency in the middle, or back in front."""

    def function(steps: Steps, x: Any) -> Term:
        steps.require(isinstance(x, Term) and x.ndim == 1)
        return steps("np.roll", x, sign * (x.shape[0] // 2))

    return function


def _window(*weights: float) -> Function:
    """A sum of cosines of which an array of some length has one period, two, and so on.

    Args:
        weights: of the mean, and of each of them.
    """

    def function(steps: Steps, M: Any) -> Term:  # noqa: N803  (NumPy's name)
        steps.require(type(M) is int or (isinstance(M, Term) and not M.is_array and M.dtype.kind == "i"))
        steps.unless(steps("gt", M, 1))
        count = steps("float", M)
        places = steps.kept(steps("np.arange", 1.0 - count, count, 2.0))
        found: Any = weights[0]
        for turns, weight in enumerate(weights[1:], 1):
            angles = math.pi * places if turns == 1 else float(turns) * math.pi * places
            found = found + weight * steps("np.cos", angles / (count - 1))
        return found

    return function


HAS_LOOPS: Final = int(np.__version__.split(".")[0]) > 1
LOOPS: Final[Mapping[str, Function]] = {
    "np.fft.fft": _fft,
    "np.fft.ifft": _ifft,
    "np.fft.rfft": _rfft,
    "np.fft.irfft": _irfft,
}
FUNCTIONS: Final[Mapping[str, Function]] = {
    **(LOOPS if HAS_LOOPS else {}),
    "np.fft.fftshift": _shift(1),
    "np.fft.ifftshift": _shift(-1),
    "np.hanning": _window(0.5, 0.5),
    "np.hamming": _window(0.54, 0.46),
    "np.blackman": _window(0.42, 0.5, 0.08),
}
