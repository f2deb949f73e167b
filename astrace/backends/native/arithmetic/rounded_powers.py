"""Squares, square roots and whole powers: without the C library where it is certain what that gives.

A product of two floats and what rounding took from it are known exactly.  The C library's ``pow`` is off by less than `ERROR` units in
the last place, so that a float to which the exact power is nearer than ``1 - ERROR`` is what it gives.  The others are left to it.
"""

from __future__ import annotations

import functools
import math
import platform
from typing import Any, Final

import numpy as np
from llvmlite import binding

from astrace.backends.native.arithmetic.complex_numbers import multiplied_and_added
from astrace.backends.native.callees import callee

# pyright: basic

ERROR: Final = 0.55
"""Units in the last place by which a C library may be off: one half for rounding, and what its tables are off by."""
NEAR: Final = 1.0 - ERROR


def least_error(library: str, version: str) -> float:
    """Return the same for powers between the two below.

    glibc's ``pow`` is off by at most 0.511 units, and by 1.5 * 2**-15 for each time that the power has the number *e* as a factor
    (`sysdeps/ieee754/dbl-64/e_pow.c`, since 2.28).

    Args:
        library: the name of the C library.
        version: of it, numbers with a point in between.
    """
    numbers = [int(one) for one in version.split(".")[:2] if one.isdigit()]
    return 0.515 if library == "glibc" and numbers >= [2, 28] else ERROR


CLOSER: Final = 1.0 - least_error(*platform.libc_ver())
LEAST_CLOSE, MOST_CLOSE = 1e-27, 1e27
LEAST, MOST = 1e-250, 1e250
"""Between these, nothing here overflows or becomes subnormal."""
SPLIT: Final = 2.0**27 + 1.0
"""Times a float, it takes the upper half of the float's digits apart (Dekker, 1971): products of such halves are exact."""
HALF_UNIT: Final = 2.0**-53
UNKNOWN: Final = 0.0
"""In the place of a power that the C library has to compute; no power here is zero."""


def lost_by_square(base: float, square: float) -> float:
    """Return what rounding has taken from the square of a float: it is a float itself.

    Args:
        base: the float.
        square: the rounded product.
    """
    scaled = SPLIT * base
    high = scaled - (scaled - base)
    low = base - high
    return ((high * high - square) + 2.0 * high * low) + low * low


def _square(lost_by: Any) -> Any:
    """What gives squares, by a function as `lost_by_square`."""

    def rounded_square(base: float) -> float:
        found = base * base
        if not LEAST < found < MOST:
            return UNKNOWN
        lost = lost_by(base, found)
        unit = (found + found * HALF_UNIT) - found  # nothing of a power of two
        near = CLOSER if LEAST_CLOSE < found < MOST_CLOSE else NEAR
        return found if abs(lost) < near * unit else UNKNOWN

    return rounded_square


def _root(lost_by: Any) -> Any:
    """What gives square roots, by the same."""

    def rounded_root(base: float) -> float:
        if not LEAST < base < MOST:
            return UNKNOWN
        found = math.sqrt(base)
        square = found * found
        apart = ((base - square) - lost_by(found, square)) / (2.0 * found)
        unit = (found + found * HALF_UNIT) - found
        near = CLOSER if LEAST_CLOSE < found < MOST_CLOSE else NEAR
        return found if abs(apart) < near * unit else UNKNOWN

    return rounded_root


rounded_square = _square(lost_by_square)
"""Gives the square of a float if ``pow`` is certain to give that, else `UNKNOWN`."""
rounded_root = _root(lost_by_square)
"""Gives the square root of a float if ``pow`` is certain to give that, else `UNKNOWN`."""


LARGEST: Final = 8
"""The largest exponent of which powers are computed here: each factor adds a part of ``2 ** -104`` to what is not known."""
LEAST_BASE, MOST_BASE = 1e-31, 1e31
"""Between these, all such powers are neither large nor small."""


def rounded_whole_power(base: float, exponent: int) -> float:
    """Return a power of a float if what is off by less than `ERROR` units is certain to be that, else `UNKNOWN`."""
    size = abs(base)
    if not LEAST_BASE < size < MOST_BASE:
        return UNKNOWN
    found, rest = size, 0.0
    scaled = SPLIT * size
    size_high = scaled - (scaled - size)
    size_low = size - size_high
    for _ in range(exponent - 1):  # a product of a float and of the sum of two
        product = found * size
        scaled = SPLIT * found
        high = scaled - (scaled - found)
        low = found - high
        lost = ((high * size_high - product) + high * size_low + low * size_high) + low * size_low
        lost += rest * size
        found = product + lost
        rest = (product - found) + lost
    unit = (found + found * HALF_UNIT) - found
    if not abs(rest) < NEAR * unit:
        return UNKNOWN
    return -found if base < 0.0 and exponent % 2 else found


@functools.cache
def is_as_near() -> bool:
    """Return whether the C library gives what is certain here, for random numbers of all sizes."""
    rng = np.random.default_rng(0)
    wide, narrow = (10.0 ** rng.uniform(-most, most, 15000) for most in (120, 13))
    bases = rng.normal(size=30000) * np.concatenate((wide, narrow))
    for base in [*bases.tolist(), *rng.uniform(1.0, 2.0, 10000).tolist()]:
        square, root = rounded_square(base), rounded_root(abs(base))
        if square not in (UNKNOWN, math.pow(base, 2.0)) or root not in (UNKNOWN, math.pow(abs(base), 0.5)):
            return False
    return True


def _lost_at_once(base: Any, square: Any) -> Any:
    """The same as `lost_by_square`, where the processor has an instruction for it."""
    return multiplied_and_added(base, base, -square)  # pyright: ignore[reportCallIssue]


def power(by_library: Any) -> Any:
    """A power of floats as compiled code; which exponent it is, LLVM most often knows.

    Args:
        by_library: the C library's.
    """
    if not is_as_near():

        @callee
        def plain(base: Any, exponent: Any) -> Any:
            return by_library(base, exponent)

        return plain
    lost_by = callee(_lost_at_once if binding.get_host_cpu_features().get("fma") else lost_by_square)
    square, root = callee(_square(lost_by)), callee(_root(lost_by))

    @callee
    def power_of(base: Any, exponent: Any) -> Any:
        found = UNKNOWN
        if exponent == 2.0:
            found = square(base)
        elif exponent == 0.5:
            found = root(base)
        return found if found != UNKNOWN else by_library(base, exponent)

    return power_of
