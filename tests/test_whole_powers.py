"""Whole powers that are computed without a library are what every library gives that is off by less than a bound."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from astrace.backends.native.arithmetic.negative_powers import LEAST
from astrace.backends.native.arithmetic.rounded_powers import ERROR, LARGEST, UNKNOWN, rounded_whole_power


@pytest.mark.parametrize("exponent", range(LEAST, LARGEST + 1))
def test_certain_powers_are_the_nearest_floats(exponent: int) -> None:
    """The exact power is nearer than the bound leaves to others, and most powers are certain."""
    rng = np.random.default_rng(exponent)
    bases = [*(rng.normal(size=800) * 10.0 ** rng.uniform(-25, 25, 800)).tolist(), -1.0, 2.0, -3.0, 1.5]
    certain = 0
    for base in bases:
        found = rounded_whole_power(base, exponent)
        if found == UNKNOWN:
            continue
        certain += 1
        apart = abs(Fraction(base) ** exponent - Fraction(found))
        assert apart < Fraction(1 - ERROR) * Fraction(float(np.spacing(abs(found)))) * Fraction(
            100001, 100000
        )
    assert certain > 0.85 * len(bases)


@pytest.mark.parametrize("base", [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e40, 5e-324])
def test_powers_that_may_be_large_or_small_are_not_certain(base: float) -> None:
    assert rounded_whole_power(base, 3) == UNKNOWN


def test_a_power_half_way_between_floats_is_not_certain() -> None:
    half_way = [base for base in map(float, range(2**21, 2**21 + 400)) if _is_near_the_middle(int(base) ** 3)]
    assert half_way and all(rounded_whole_power(base, 3) == UNKNOWN for base in half_way)


def _is_near_the_middle(exact: int) -> bool:
    unit = int(np.spacing(float(exact)))
    return unit > 1 and 0.46 < exact % unit / unit < 0.54
