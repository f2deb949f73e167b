"""Sums and other reductions of few numbers as compiled code, one after the other, since a call of NumPy's loop takes longer than that."""

from __future__ import annotations

from typing import Any, Final

from astrace.backends.native.arithmetic.extremes import extreme
from astrace.backends.native.callees import callee
from astrace.ops.numpy.few_items import FEW, are_reduced_in_turn

# pyright: basic


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
    if not are_reduced_in_turn(ufunc, char):
        return by_loop
    if ufunc == "add":
        return sum_of_few(by_loop, kind)
    return fold_of_few(by_loop, LOGICAL[ufunc] if ufunc in LOGICAL else extreme(ufunc))
