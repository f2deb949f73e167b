"""Copies of the arguments of a call, on which a kernel may run instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from astrace.backends.native.drawing.generators import DRAWN, copied
from astrace.backends.native.signature import order_of


def copies(args: Sequence[Any]) -> list[Any]:
    """Return the arguments with copies of the arrays and generators; one that is given twice stays one.

    Args:
        args: those of a call.
    """
    made: dict[int, Any] = {}
    memo: dict[int, Any] = {}
    for one in args:
        if isinstance(one, np.ndarray) and id(one) not in made:
            made[id(one)] = _copy_of(one)
        elif isinstance(one, DRAWN) and id(one) not in made:
            made[id(one)] = copied(one, memo)
    return [made.get(id(one), one) for one in args]


def _copy_of(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a copy for which the same machine code runs: a part of a larger array is copied into one."""
    copy = array.copy(order="K")
    if order_of(copy) == order_of(array) or not array.ndim:
        return copy
    *outer, inner = array.shape
    has_rows = bool(outer) and array.strides[-1] == array.itemsize
    wide = np.empty((*outer, 2 * inner), array.dtype)
    part = wide[..., :inner] if has_rows else wide[..., ::2]
    part[...] = array
    return part
