"""What NumPy's reductions of few items give, to the bit: found out by trial."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

FEW: Final = 8
"""The number of items from which on NumPy makes up a sum of several."""


@functools.cache
def few_are_added_in_turn(char: str) -> bool:
    """Return whether NumPy adds up fewer items than `FEW` one after the other, to the bit.

    Args:
        char: of a dtype of floats.
    """
    rng = np.random.default_rng(0)
    for size, step in itertools.product(range(FEW), (1, 2, -1)):
        items = (rng.normal(size=(20, 2 * FEW)) * 10.0 ** rng.integers(-9, 9, (20, 2 * FEW))).astype(char)
        for row in (*items[:, ::step], np.full(FEW, -0.0, char)):
            found = np.zeros((), char)[()]
            for item in row[:size]:
                found = found + item
            if np.add.reduce(row[:size]).tobytes() != found.tobytes():
                return False
    return True


BLOCK: Final = 128
"""The number of items up to which NumPy makes up a sum of `FEW`, and beyond which of sums of sums."""


def _sum_of_block(items: Any) -> Any:
    """Return the sum of at least `FEW` items: each eighth one belongs to one sum, and what is left follows one by one."""
    whole = len(items) - len(items) % FEW
    sums = items[:FEW].copy()
    for place in range(FEW, whole, FEW):
        sums += items[place : place + FEW]
    while len(sums) > 1:
        sums = sums[::2] + sums[1::2]
    found = sums[0]
    for item in items[whole:]:
        found = found + item
    return found


@functools.cache
def some_are_added_in_blocks(char: str) -> bool:
    """Return whether NumPy adds up to `BLOCK` items by eight sums at a time, behind zero, to the bit.

    Args:
        char: of a dtype of floats.
    """
    rng = np.random.default_rng(0)
    zero = np.zeros((), char)[()]
    for size in range(FEW, BLOCK + 1):
        row = (rng.normal(size=2 * BLOCK) * 10.0 ** rng.integers(-9, 9, 2 * BLOCK)).astype(char)
        for items in (row[:size], row[::2][:size], row[::-1][:size], np.full(size, -0.0, char)):
            if np.add.reduce(items).tobytes() != (zero + _sum_of_block(items)).tobytes():
                return False
    return True


FOLDED: Final = ("maximum", "minimum")
"""The ufuncs of which reductions of few floats are made by functions of two numbers, beside sums."""


@functools.cache
def few_are_folded(ufunc: str, char: str) -> bool:
    """Return whether NumPy reduces fewer items than `FEW` by taking one after the other, to the bit.

    Args:
        ufunc: one of `FOLDED`.
        char: of a dtype of floats.
    """
    function = getattr(np, ufunc)
    for size in range(1, FEW):
        for items in _special_rows(size, char):
            found = items[:1].repeat(FEW)  # of several elements at once, as the function of two is tried
            for item in items[1:]:
                found = function(found, np.full(FEW, item, char))
            expected = function.reduce(items)
            same = expected.tobytes() == found[0].tobytes()
            if not same and not np.isnan(expected):  # of two NaNs that meet, either may come out
                return False
    return True


def _special_rows(size: int, char: str) -> Iterator[Any]:
    """Yield rows with zeros of both signs, NaN and other numbers, in one piece, backwards and with steps."""
    rng = np.random.default_rng(size)
    special = np.array([0.0, -0.0, 1.0, -1.0, np.nan], char)
    for _ in range(40):
        row = rng.choice(special, 2 * size, p=[0.4, 0.4, 0.08, 0.08, 0.04])
        yield from (row[:size], row[:size][::-1], row[::2])


def are_reduced_in_turn(ufunc: str, char: str) -> bool:
    """Return whether NumPy reduces fewer items than `FEW` by taking one after the other, to the bit; sums begin with zero.

    Args:
        ufunc: its name.
        char: of the items' dtype.

    Example:
        >>> are_reduced_in_turn("add", "l"), are_reduced_in_turn("multiply", "d")
        (True, False)
    """
    is_float = char in "fd"
    if ufunc in FOLDED:
        return char not in "?FD" and (not is_float or few_are_folded(ufunc, char))
    if ufunc == "add":
        return char in "fdl" and (not is_float or few_are_added_in_turn(char))
    return ufunc in ("logical_or", "logical_and") and char == "?"
