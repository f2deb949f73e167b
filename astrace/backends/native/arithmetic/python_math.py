"""Functions of `math` that Python computes by itself, as compiled code.

`math.hypot` of two numbers is Python's ``vector_norm`` (``Modules/mathmodule.c``): squares of scaled numbers are added up with what rounding takes
from each sum, and the root is corrected once.  Python 3.12 takes other steps than 3.11.  Whether it is that, is tried; else nothing comes out, for which
kernels give up.
"""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from astrace.backends.native.callees import callee

# pyright: basic

WORD = ir.IntType(64)
SPLIT: Final = 2.0**27 + 1.0
"""Times a float, it takes the upper half of the float's digits apart."""
LEAST, MOST = 2.0**-1000, 2.0**1000
"""Of a number beyond these, what is scaled is left to Python."""
EXPONENT: Final = 0x7FF << 52
"""The bits of a float's exponent."""
ONES: Final = 2045 << 52
"""The sum of those of a power of two and of what it is scaled by, so that 0.5 comes out, or more, but less than one."""

Distance = Callable[[float, float], float]
Root = Callable[[float, float, float], float]
"""The root of the sum of two squares: the numbers, and the power of two that scales them."""


@intrinsic
def power_for(typing_context, number):
    """The power of two times which a number is 0.5 or more, and less than one; the number is in the middle of the range of floats."""

    def generate(context, builder, signature, args):
        exponent = builder.and_(builder.bitcast(args[0], WORD), WORD(EXPONENT))
        return builder.bitcast(builder.sub(WORD(ONES), exponent), args[0].type)

    return types.float64(types.float64), generate


def power_of_python(number: float) -> float:
    """The same in Python."""
    return math.ldexp(1.0, -math.frexp(number)[1])


@intrinsic
def stands_in_loops(typing_context):
    """Have LLVM write the function that calls this into loops that call it, which then compute several items at once."""

    def generate(context, builder, signature, args):
        builder.function.attributes.add("alwaysinline")
        return context.get_dummy_value()

    return types.void(), generate


def nothing_else() -> None:
    """The same in Python, which writes no function into others."""


def distance(
    root: Root,
    power: Callable[[float], float] = power_of_python,
    begin: Callable[[], None] = nothing_else,
    compiled: Callable[[Any], Any] = lambda given: given,
) -> Distance:
    """Return the function of a version of Python's; it gives what is not a number for what is left to Python, and has no branch.

    Args:
        root: the version's steps.
        power: `power_for`.
        begin: what is called first.
        compiled: compiles a function.
    """
    steps = compiled(root)

    def function(x: float, y: float) -> float:
        begin()
        x, y = abs(x), abs(y)
        top = x if x > y else y
        is_known = (x < MOST) & (y < MOST) & (top >= LEAST)
        if_none = 0.0 if (x == 0.0) & (y == 0.0) else math.nan
        scale = power(top if is_known else 1.0)
        found = steps((x if is_known else 1.0) * scale, (y if is_known else 1.0) * scale, scale)
        return found if is_known else if_none

    return compiled(function)


def root_by_halves(x: float, y: float, scale: float) -> float:
    """The steps of Python 3.11."""
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


def root_by_pairs(x: float, y: float, scale: float) -> float:
    """The steps of Python 3.12."""
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


def not_known(_x: float, _y: float, _scale: float) -> float:
    """Nothing, in the place of steps that Python takes and compiled code does not."""
    return math.nan


@functools.cache
def python_root() -> Root:
    """Return the steps that give the bits of `math.hypot`."""
    root = root_by_halves if sys.version_info < (3, 12) else root_by_pairs
    function = distance(root)
    rng = np.random.default_rng(0)
    items = rng.normal(size=(10000, 2)) * 10.0 ** rng.uniform(-20, 20, (10000, 2))
    items[::2, 1] = rng.uniform(1.0, 2.0, 5000) * items[::2, 0]
    items[::100, 0] = 0.0
    return root if all(function(*pair) == math.hypot(*pair) for pair in items.tolist()) else not_known


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


@intrinsic
def length_in_bits(typing_context, a):
    """``int.bit_length``, of the least integer, too."""

    def generate(context, builder, signature, args):
        (given,) = args
        negative = builder.icmp_signed("<", given, WORD(0))
        size = builder.select(negative, builder.neg(given), given)
        return builder.sub(WORD(64), builder.ctlz(size, ir.IntType(1)(0)))

    return types.int64(types.int64), generate


def compiled() -> dict[str, Any]:
    """Return the functions, by the names of their ops."""
    power: Any = power_for
    begin: Any = stands_in_loops
    return {
        "distance": distance(python_root(), power, begin, callee),
        "greatest_divisor": callee(greatest_divisor),
        "whole_root": callee(whole_root),
        "length_in_bits": length_in_bits,
    }
