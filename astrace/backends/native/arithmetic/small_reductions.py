"""Sums and other reductions of few numbers as compiled code, one after the other, since a call of NumPy's loop takes longer than that."""

from __future__ import annotations

import functools
import itertools
from typing import Any, Final

import numpy as np

from astrace.backends.native.arithmetic.extremes import extreme
from astrace.backends.native.callees import callee

# pyright: basic

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


def sum_of_few(by_loop: Any, kind: Any) -> Any:
    """The sum of an array of one axis, by NumPy's loop where it has more items.

    Args:
        by_loop: that loop.
        kind: the type of the items.
    """
    zero = kind(0)

    @callee
    def total(array):
        # Of nothing the loop is asked, too: LLVM would divide by a sum that is zero for certain before it is known to be asked for.
        if not 0 < len(array) < FEW:
            return by_loop(array)
        found = zero
        for index in range(len(array)):
            found += array[index]
        return found

    return total


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


def _special_rows(size: int, char: str) -> Any:
    """Yield rows with zeros of both signs, NaN and other numbers, in one piece, backwards and with steps."""
    rng = np.random.default_rng(size)
    special = np.array([0.0, -0.0, 1.0, -1.0, np.nan], char)
    for _ in range(40):
        row = rng.choice(special, 2 * size, p=[0.4, 0.4, 0.08, 0.08, 0.04])
        yield from (row[:size], row[:size][::-1], row[::2])


def fold_of_few(by_loop: Any, combined: Any) -> Any:
    """A reduction of an array of one axis, by NumPy's loop where it has more items or none.

    Args:
        by_loop: that loop.
        combined: the function of two items, for compiled code.
    """

    @callee
    def reduction(array):
        if not 0 < len(array) < FEW:
            return by_loop(array)
        found = array[0]
        for index in range(1, len(array)):
            found = combined(found, array[index])
        return found

    return reduction


@callee
def _either(a: Any, b: Any) -> Any:
    return a | b


@callee
def _both(a: Any, b: Any) -> Any:
    return a & b


LOGICAL: Final = {"logical_or": _either, "logical_and": _both}
"""The ufuncs of two truth values, for compiled code."""


def reduction_of_few(by_loop: Any, ufunc: str, char: str, kind: Any) -> Any:
    """Return what reduces few numbers by itself, and more of them by NumPy's loop; that loop where NumPy gives other bits.

    Args:
        by_loop: NumPy's loop.
        ufunc: its name.
        char: the dtype of the items.
        kind: their type in compiled code.
    """
    is_float = char in "fd"
    if ufunc in FOLDED and char not in "?FD" and (not is_float or few_are_folded(ufunc, char)):
        return fold_of_few(by_loop, extreme(ufunc))
    if ufunc == "add" and char in "fdl" and (not is_float or few_are_added_in_turn(char)):
        return sum_of_few(by_loop, kind)
    if ufunc in LOGICAL and char == "?":
        return fold_of_few(by_loop, LOGICAL[ufunc])
    return by_loop
