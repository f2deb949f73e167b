"""How far results may be from those of the plain function where a kernel need not be exact.

A float may differ by a part of the largest magnitude of the array that it is in, or of its own (`RELATIVE`), and by
`ROUNDING` roundings at the largest magnitude of all floats that come in and out, since that is what differences of almost
equal numbers are made of; the least precise dtype counts that takes part.  A complex number counts as two floats.  NaN and
infinity stay what they are, and where they are; the sign of NaN is left open.  Everything else is the same to the bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.backends.native.drawing.generators import DRAWN, state_of

RELATIVE: Final = {"e": 1e-2, "f": 1e-4, "d": 1e-10}
"""By the character of a dtype."""
ROUNDING: Final = 256
"""The number of roundings."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far floats may be off.

    Args:
        relative: as a part of the largest magnitude of a result.
        absolute: the same for all results.
    """

    relative: float
    absolute: float

    @staticmethod
    def of(values: Iterable[Any], computed: Iterable[np.dtype[Any]] = ()) -> Tolerance:
        """The tolerance where these numbers and arrays come in and out.

        Args:
            values: of any kind.
            computed: the dtypes of what is computed in between.

        Example:
            >>> Tolerance.of([np.array([1.0, -3.0, np.inf]), 2.0, 7, "text"]).relative
            1e-10
            >>> Tolerance.of([np.float32(1.0), 2.0]).relative
            0.0001
        """
        floats = [array for array in map(_floats, values) if array is not None]
        dtypes = [*(array.dtype for array in floats), *(one for one in computed if one.char in RELATIVE)]
        least = max(dtypes, key=_rounding, default=np.dtype(np.float64))
        scale = max(map(_magnitude, floats), default=0.0)
        return Tolerance(RELATIVE[least.char], ROUNDING * _rounding(least) * scale)


def _floats(value: Any) -> np.ndarray[Any, Any] | None:
    """A number or an array as an array of floats, of a complex one the parts; ``None`` for one of another dtype."""
    if not isinstance(value, float | complex | np.inexact | np.ndarray):
        return None
    found: np.ndarray[Any, Any] = np.asarray(value)
    if found.dtype.kind == "c":
        found = np.stack([found.real, found.imag])
    return found if found.dtype.char in RELATIVE else None


def _rounding(dtype: np.dtype[Any]) -> float:
    return float(np.finfo(dtype).eps)


def _magnitude(array: np.ndarray[Any, Any]) -> float:
    """The largest magnitude of the finite items of an array; 0 where there are none."""
    found = np.abs(array)
    return float(np.max(found, initial=0.0, where=np.isfinite(found)))


def are_same(found: Any, expected: Any) -> bool:
    """Return whether two numbers or arrays have one type and the same bits; generators, whether they go on alike."""
    if found is expected:
        return True
    if type(found) is not type(expected):
        return False
    if isinstance(found, np.ndarray | np.generic):
        same_type = found.dtype == expected.dtype and found.shape == expected.shape
        return same_type and found.tobytes() == expected.tobytes()
    if isinstance(found, list | tuple):
        pairs: Any = zip(found, expected, strict=False)  # type: ignore[reportUnknownVariableType]
        return len(found) == len(expected) and all(are_same(one, other) for one, other in pairs)  # type: ignore[reportUnknownArgumentType]
    if isinstance(found, DRAWN):
        return are_same(state_of(found), state_of(expected))
    if isinstance(found, float):
        return np.float64(found).tobytes() == np.float64(expected).tobytes()
    return bool(found == expected)


def are_close(found: Any, expected: Any, tolerance: Tolerance) -> bool:
    """Return whether a result is of the type that is expected, and within the tolerance.

    Args:
        found: a number or an array.
        expected: the one of the plain function.
        tolerance: how far it may be off.

    Example:
        >>> some = Tolerance.of([1.0])
        >>> are_close(1.0 + 1e-12, 1.0, some), are_close(1.0 + 1e-6, 1.0, some), are_close(np.float64(1.0), 1.0, some)
        (True, False, False)
        >>> are_close(1.0 + 1e-12j, 1.0 + 0j, some)
        True
    """
    other = _floats(expected)
    if type(found) is not type(expected) or other is None:
        return are_same(found, expected)
    one = _floats(found)
    if one is None or (one.dtype, one.shape) != (other.dtype, other.shape):
        return False
    finite = np.isfinite(other)
    if not np.array_equal(one[~finite], other[~finite], equal_nan=True):
        return False
    allowed = tolerance.relative * _magnitude(other) + tolerance.absolute
    with np.errstate(all="ignore"):
        off = np.abs(one[finite].astype(np.float64) - other[finite])
    return bool(np.all(off <= allowed))
