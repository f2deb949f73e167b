"""Functions of `math` that Python computes by itself, as compiled code.

`math.hypot` of two numbers is Python's ``vector_norm`` (``Modules/mathmodule.c``): squares of scaled numbers are added up with what rounding takes
from each sum, and the root is corrected once.  Python 3.12 takes other steps than 3.11.  Whether it is that, is tried; else nothing comes out, for which
kernels give up.
"""

from __future__ import annotations

import functools
import math
import sys
from typing import Any, Final

import numpy as np

from astrace.backends.native.callees import callee

# pyright: basic

SPLIT: Final = 2.0**27 + 1.0
"""Times a float, it takes the upper half of the float's digits apart."""
LEAST, MOST = 2.0**-1000, 2.0**1000
"""Of a number beyond these, what is scaled is left to Python."""


def distance_by_halves(x: float, y: float) -> float:
    """``math.hypot`` of Python 3.11; not a number for what is left to Python."""
    if x == 0.0 and y == 0.0:
        return 0.0
    if not (abs(x) < MOST and abs(y) < MOST) or (abs(x) < LEAST and abs(y) < LEAST):
        return math.nan
    x, y = abs(x), abs(y)
    scale = math.ldexp(1.0, -math.frexp(max(x, y))[1])
    x, y = x * scale, y * scale
    total, first, second, third = 1.0, 0.0, 0.0, 0.0
    for item in (x, y):
        part = item * SPLIT
        high = part - (part - item)
        low = item - high
        square = high * high
        before = total
        total += square
        first += (before - total) + square
        square = 2.0 * high * low
        before = total
        total += square
        second += (before - total) + square
        third += low * low
    found = math.sqrt(total - 1.0 + (first + second + third))
    part = found * SPLIT
    high = part - (part - found)
    low = found - high
    square = -high * high
    before = total
    total += square
    first += (before - total) + square
    square = -2.0 * high * low
    before = total
    total += square
    second += (before - total) + square
    square = -low * low
    before = total
    total += square
    third += (before - total) + square
    rest = total - 1.0 + (first + second + third)
    return (found + rest / (2.0 * found)) / scale


def distance_by_pairs(x: float, y: float) -> float:
    """``math.hypot`` of Python 3.12; not a number for what is left to Python."""
    if x == 0.0 and y == 0.0:
        return 0.0
    if not (abs(x) < MOST and abs(y) < MOST) or (abs(x) < LEAST and abs(y) < LEAST):
        return math.nan
    x, y = abs(x), abs(y)
    scale = math.ldexp(1.0, -math.frexp(max(x, y))[1])
    x, y = x * scale, y * scale
    total, first, second = 1.0, 0.0, 0.0
    for item in (x, y):
        square = item * item
        part = item * SPLIT
        high = part - (part - item)
        low = item - high
        lost = ((high * high - square) + 2.0 * high * low) + low * low
        before = total
        total = before + square
        first += lost
        second += (before - total) + square
    found = math.sqrt(total - 1.0 + (first + second))
    square = -found * found
    part = found * SPLIT
    high = part - (part - found)
    low = found - high
    lost = -(((high * high + square) + 2.0 * high * low) + low * low)
    before = total
    total = before + square
    first += lost
    second += (before - total) + square
    rest = total - 1.0 + (first + second)
    return (found + rest / (2.0 * found)) / scale


def not_known(_x: float, _y: float) -> float:
    """Nothing, in the place of a function that Python has and compiled code has not."""
    return math.nan


@functools.cache
def python_distance() -> Any:
    """Return the function that gives the bits of `math.hypot`."""
    function = distance_by_halves if sys.version_info < (3, 12) else distance_by_pairs
    rng = np.random.default_rng(0)
    items = rng.normal(size=(10000, 2)) * 10.0 ** rng.uniform(-20, 20, (10000, 2))
    items[::2, 1] = rng.uniform(1.0, 2.0, 5000) * items[::2, 0]
    items[::100, 0] = 0.0
    return function if all(function(*pair) == math.hypot(*pair) for pair in items.tolist()) else not_known


def greatest_divisor(a: int, b: int) -> int:
    """``math.gcd``."""
    a, b = abs(a), abs(b)
    while b:
        a, b = b, a % b
    return a


def whole_root(a: int) -> int:
    """``math.isqrt``: the float's root is off by one at most."""
    root = int(math.sqrt(a))
    while root > 3037000499 or root * root > a:
        root -= 1
    while root < 3037000499 and (root + 1) * (root + 1) <= a:
        root += 1
    return root


def compiled() -> dict[str, Any]:
    """Return the functions, by the names of their ops."""
    return {
        "distance": callee(python_distance()),
        "greatest_divisor": callee(greatest_divisor),
        "whole_root": callee(whole_root),
    }
