"""Sums of few numbers as compiled code, one after the other, since a call of NumPy's loop takes longer than that."""

from __future__ import annotations

import functools
import itertools
from typing import Any, Final

import numpy as np

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
    zero = kind(0.0)

    @callee
    def total(array):
        if (
            not 0 < len(array) < FEW
        ):  # LLVM would divide by a sum that is zero for certain before it is known to be asked for
            return by_loop(array)
        found = zero
        for index in range(len(array)):
            found += array[index]
        return found

    return total
