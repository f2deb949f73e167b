"""Whole powers of arrays with negative items, which NumPy's loop of vectors takes one by one, fifty times as slowly.

On processors with AVX-512 NumPy has such a loop (`numpy/_core/src/umath/loops_umath_fp.dispatch.c.src`).  It is given the absolute
values; the powers of negative items are what it gives for these items alone, computed here where that is certain.
"""

from __future__ import annotations

import functools
from typing import Any, Final

import numpy as np

from astrace.backends.native.arithmetic.rounded_powers import LARGEST, UNKNOWN, rounded_whole_power
from astrace.backends.native.callees import callee
from astrace.backends.native.numpy_arrays import reshape_of

# pyright: basic
one_axis: Any = reshape_of  # an intrinsic, whose first parameter is Numba's

LEAST: Final = 3
"""The smallest exponent; NumPy takes squares as products."""
BLOCK: Final = 256
"""Items of which the absolute values are in memory at a time."""
TRIED: Final = 400
"""The number of bases that each exponent is tried with."""


@functools.cache
def negatives_take_long() -> bool:
    """Return whether NumPy's loop takes negative items one by one, and gives for them what is certain here, in a trial."""
    rng = np.random.default_rng(0)
    bases = -rng.uniform(1.0, 10.0, TRIED) * 10.0 ** rng.uniform(-20, 20, TRIED)
    is_apart = False
    for exponent in range(LEAST, LARGEST + 1):
        found = np.power(bases, float(exponent))
        is_apart |= bool(np.any(np.abs(found) != np.power(-bases, float(exponent))))
        for base, power in zip(bases.tolist(), found.tolist(), strict=True):
            if rounded_whole_power(base, exponent) not in (UNKNOWN, power):
                return False
    return is_apart


def has_negative(items: Any) -> bool:
    """Return whether an array of one axis has an item below zero."""
    for item in items:  # noqa: SIM110 - as Numba compiles it
        if item < 0.0:
            return True
    return False


def array_power(by_loop: Any, of_one: Any) -> Any:
    """A power of arrays in C order, as compiled code.

    Args:
        by_loop: calls NumPy's loop with the result, the bases, and the exponents or one exponent.
        of_one: the same for two numbers.
    """
    if not negatives_take_long():
        return by_loop
    has_one, whole_power = callee(has_negative), _whole_power(by_loop, of_one)

    @callee
    def power(out, bases, exponents):
        is_one = exponents.size == 1 and bases.size > 1
        exponent = one_axis(exponents, (exponents.size,))[0] if is_one else 0.0
        is_whole = LEAST <= exponent <= LARGEST and exponent == int(exponent)
        items = one_axis(bases, (bases.size,))
        if is_whole and has_one(items):
            whole_power(one_axis(out, (out.size,)), items, one_axis(exponents, (1,)), int(exponent))
        else:
            by_loop(out, bases, exponents)

    return power


def _whole_power(by_loop: Any, of_one: Any) -> Any:
    """A power of an array of one axis with negative items; the exponent is given as a float and as an integer."""
    power_of_one = callee(rounded_whole_power)

    @callee
    def whole_power(powers, bases, exponents, count):
        # not in place of the powers: NumPy's loop takes another way where its operands share memory
        absolute = np.empty(min(BLOCK, len(bases)))
        for start in range(0, len(bases), BLOCK):
            stop = min(start + BLOCK, len(bases))
            for place in range(start, stop):
                base = bases[place]
                absolute[place - start] = -base if base < 0.0 else base
            by_loop(powers[start:stop], absolute[: stop - start], exponents)
            for place in range(start, stop):
                base = bases[place]
                if base < 0.0:
                    found = power_of_one(base, count)
                    powers[place] = found if found != UNKNOWN else of_one(base, exponents[0])

    return whole_power
