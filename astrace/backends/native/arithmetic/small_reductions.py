"""Sums and other reductions of few numbers as compiled code, one after the other, since a call of NumPy's loop takes longer than that.

Extremes of more floats are found by their bits, as integers in the floats' order: unlike comparisons these raise no flag for NaN.  Where
there is NaN, or zero is the extreme and not all that there is, NumPy's loop tells which one comes out.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from astrace.backends.native.arithmetic.block_sums import block_sum
from astrace.backends.native.arithmetic.extremes import extreme
from astrace.backends.native.arithmetic.flags import bits_of
from astrace.backends.native.callees import OPTIONS, callee
from astrace.ops.numpy.few_items import BLOCK, FEW, are_reduced_in_turn, some_are_added_in_blocks

# pyright: basic
word_of: Any = bits_of  # an intrinsic, whose first parameter is Numba's
_block_sum: Any = block_sum  # likewise

SOME: Final = 64
"""The number of floats from which on NumPy's loop finds their extreme faster."""
INFINITY: Final = 0x7FF0 << 48
"""The bits of infinity; of other integers in the floats' order, those beyond it, and those below its opposite, are NaN's."""


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


def sum_of_some(of_few: Any, by_loop: Any, kind: Any) -> Any:
    """The sum of an array of one axis of floats.

    Args:
        of_few: that of less than `FEW` of them.
        by_loop: that of any number of them.
        kind: the type of the items.
    """
    zero = kind(0)

    @callee
    def of_more(array):
        if len(array) > BLOCK or array.strides[0] != array.itemsize:
            return by_loop(array)
        found = zero + _block_sum(array)
        return found if found == found else by_loop(array)  # of NaNs that meet, either may come out

    def total(array):
        return of_few(array) if len(array) < FEW else of_more(array)

    return callee(total, {**OPTIONS, "forceinline": True})


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
def _rank(item: Any) -> Any:
    """A float's bits as an integer, in the floats' order; what belongs to the opposite number is -1 less it."""
    bits = word_of(np.float64(item))
    return bits ^ ((bits >> 63) & 0x7FFFFFFFFFFFFFFF)


def extreme_of_some(of_few: Any, by_loop: Any, finds_most: bool) -> Any:
    """The extreme of an array of one axis of floats.

    Args:
        of_few: that of less than `FEW` of them.
        by_loop: that of any number of them.
        finds_most: it is the largest one.
    """

    @callee
    def reduction(array):
        if len(array) < FEW:
            return of_few(array)
        if len(array) >= SOME:
            return by_loop(array)
        found = array[0]
        least = most = _rank(found)
        for index in range(1, len(array)):
            item = array[index]
            rank = _rank(item)
            is_next = rank > most if finds_most else rank < least
            found = item if is_next else found
            least, most = min(least, rank), max(most, rank)
        rank = most if finds_most else least
        is_zero = (rank == 0) | (rank == -1)
        if (most > INFINITY) | (least < -1 - INFINITY) | (is_zero & (least != most)):
            return by_loop(array)
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
    if not are_reduced_in_turn(ufunc, char):
        return by_loop
    if ufunc == "add":
        of_few = sum_of_few(by_loop, kind)
        in_blocks = char in "fd" and some_are_added_in_blocks(char)
        return sum_of_some(of_few, by_loop, kind) if in_blocks else of_few
    of_few = fold_of_few(by_loop, LOGICAL[ufunc] if ufunc in LOGICAL else extreme(ufunc))
    return extreme_of_some(of_few, by_loop, ufunc == "maximum") if char in "fd" else of_few
