"""Ops of lowered blocks that are functions of `math` which Python computes by itself, not by the C library; and a float's sign."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np


def distance(x: Any, y: Any) -> float:
    """``math.hypot`` of two floats."""
    return math.hypot(x, y)


def greatest_divisor(a: Any, b: Any) -> int:
    """``math.gcd`` of two integers that are greater than the least one of 64 bits."""
    return math.gcd(a, b)


def whole_root(a: Any) -> int:
    """``math.isqrt`` of an integer that is not negative."""
    return math.isqrt(a)


def length_in_bits(a: Any) -> int:
    """``int.bit_length`` of an integer of 64 bits."""
    return int(a).bit_length()


def signed_one(x: Any) -> Any:
    """One, or minus one, with the sign of a float, which may be zero or NaN."""
    return np.copysign(type(x)(1.0), x)


MATH: Final[Mapping[str, Callable[..., Any]]] = {
    function.__name__: function
    for function in (distance, greatest_divisor, whole_root, length_in_bits, signed_one)
}
"""The ops, and what they do."""
