"""Sums and other reductions of few numbers as compiled code, one after the other, since a call of NumPy's loop takes longer than that.

Extremes of more floats are found by their bits, as integers in the floats' order: unlike comparisons these raise no flag for NaN.  Where
there is NaN, or zero is the extreme and not all that there is, NumPy's loop tells which one comes out.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from astrace.backends.native.arithmetic.block_sums import block_sum
from astrace.backends.native.arithmetic.extremes import extreme
from astrace.backends.native.arithmetic.flags import bits_of
from astrace.backends.native.callees import OPTIONS, callee
from astrace.ops.numpy.few_items import BLOCK, FEW, are_reduced_in_turn, some_are_added_in_blocks

# pyright: basic
word_of: Any = bits_of  # an intrinsic, whose first parameter is Numba's
_block_sum: Any = block_sum  # likewise

SOME: Final = 256
"""The number of floats from which on NumPy's loop finds their extreme faster."""
INFINITY: Final = 0x7FF0 << 48
"""The bits of infinity; of other integers in the floats' order, those beyond it, and those below its opposite, are NaN's."""


def sum_of_few(of_others: Any, kind: Any) -> Any:
    """The sum of an array of one axis.

    Args:
        of_others: that of `FEW` items and more, and of none.
        kind: the type of the items.
    """
    zero = kind(0)

    def total(array):
        # Nothing is not added up here: LLVM would divide by a sum that is zero for certain before it is known to be asked for.
        if not 0 < len(array) < FEW:
            return of_others(array)
        found = zero
        for index in range(len(array)):
            found += array[index]
        return found

    return callee(total, {**OPTIONS, "forceinline": True})


def sum_of_some(by_loop: Any, kind: Any) -> Any:
    """The sum of an array of one axis of `FEW` floats and more, or of none.

    Args:
        by_loop: that of any number of them.
        kind: the type of the items.
    """
    zero = kind(0)

    @callee
    def total(array):
        if not FEW <= len(array) <= BLOCK or array.strides[0] != array.itemsize:
            return by_loop(array)
        found = zero + _block_sum(array)
        return found if found == found else by_loop(array)  # of NaNs that meet, either may come out

    return total


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


@intrinsic
def _float_of_bits(typing_context, word):
    """The float with the bits of an integer."""

    def generate(context, builder, signature, args):
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), generate


_of_bits: Any = _float_of_bits  # likewise


def extreme_of_some(of_few: Any, by_loop: Any, finds_most: bool, kind: Any) -> Any:
    """The extreme of an array of one axis of floats.

    Args:
        of_few: that of less than `FEW` of them.
        by_loop: that of any number of them.
        finds_most: it is the largest one.
        kind: the class of NumPy's scalars of the items.
    """

    @callee
    def reduction(array):
        if len(array) < FEW:
            return of_few(array)
        if len(array) >= SOME:
            return by_loop(array)
        least = most = _rank(array[0])
        for index in range(1, len(array)):
            rank = _rank(array[index])
            least, most = min(least, rank), max(most, rank)
        rank = most if finds_most else least
        is_zero = (rank == 0) | (rank == -1)
        if (most > INFINITY) | (least < -1 - INFINITY) | (is_zero & (least != most)):
            return by_loop(array)
        return kind(_of_bits(rank ^ ((rank >> 63) & 0x7FFFFFFFFFFFFFFF)))

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
        in_blocks = char in "fd" and some_are_added_in_blocks(char)
        return sum_of_few(sum_of_some(by_loop, kind) if in_blocks else by_loop, kind)
    of_few = fold_of_few(by_loop, LOGICAL[ufunc] if ufunc in LOGICAL else extreme(ufunc))
    if char not in "fd":
        return of_few
    return extreme_of_some(of_few, by_loop, ufunc == "maximum", np.float32 if char == "f" else np.float64)
