"""Constants mined from a function's own code: what it compares with, how long it wants things.

Hypothesis mines constants, too, but only of local modules that are no tests, and not those of what a function
calls.  Here the code objects themselves are read: of the function, of its helpers, of the functions inside.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from astrace.check.sandbox.reachable import is_library, names_in, unwrapped

MOST: Final = 40
LARGEST_SIZE: Final = 64


@dataclass(frozen=True, slots=True)
class Mined:
    """The constants that a function's code names.

    Args:
        numbers: its numbers, and those next to them, the most telling first.
        sizes: small whole numbers that a length may be compared with.
        strings: its short strings.
    """

    numbers: tuple[float, ...] = ()
    sizes: tuple[int, ...] = ()
    strings: tuple[str, ...] = ()


def mine(function: Callable[..., Any]) -> Mined:
    """Return the constants in the code of a function, and of the helpers it names.

    Example:
        >>> def f(x):
        ...     return x if x > 3.5 else -x
        >>> mine(f).numbers
        (3.5, 4.5, 2.5, 3.5000000000000004, 3.4999999999999996)
    """
    constants = list(_constants(function))
    numbers = [value for value in constants if isinstance(value, int | float) and type(value) is not bool]
    telling = sorted(dict.fromkeys(numbers), key=lambda value: value in (0, 1, 2, -1))
    near = dict.fromkeys(one for value in telling for one in neighbours(value))
    sizes = dict.fromkeys(
        size for value in telling if type(value) is int for size in (value, value + 1, value - 1)
    )
    strings = dict.fromkeys(value for value in constants if isinstance(value, str) and len(value) <= 20)
    return Mined(
        tuple(near)[:MOST],
        tuple(size for size in sizes if 0 <= size <= LARGEST_SIZE)[:MOST],
        tuple(strings)[:MOST],
    )


def neighbours(value: float) -> Iterator[float]:
    """A number and those next to it: one more, one less, the next float on either side."""
    yield value
    yield value + 1
    yield value - 1
    if isinstance(value, float) and math.isfinite(value):
        yield math.nextafter(value, math.inf)
        yield math.nextafter(value, -math.inf)


def _constants(function: Callable[..., Any]) -> Iterator[Any]:
    """The constants of a function's code and of the user's functions that it names."""
    pending, seen = [function], set[int]()
    while pending and len(seen) < MOST:
        one = unwrapped(pending.pop(0))
        one = unwrapped(one.__func__) if isinstance(one, types.MethodType) else one
        if not isinstance(one, types.FunctionType) or id(one) in seen:
            continue
        seen.add(id(one))
        yield from _of_code(one.__code__)
        pending += _named(one)


def _of_code(code: types.CodeType) -> Iterator[Any]:
    docstring = code.co_consts[0] if code.co_consts and isinstance(code.co_consts[0], str) else None
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _of_code(constant)
        elif isinstance(constant, tuple | frozenset):
            yield from constant
        elif constant is not docstring:
            yield constant


def _named(function: types.FunctionType) -> Iterator[Callable[..., Any]]:
    """The user's functions that a function names, methods of the classes that it names included."""
    names = names_in(function.__code__)
    space = function.__globals__
    cells = (cell.cell_contents for cell in function.__closure__ or () if _is_full(cell))
    for value in (*(space[name] for name in names if name in space), *cells):
        owner = value if isinstance(value, type) else type(value)
        if isinstance(unwrapped(value), types.FunctionType | types.MethodType) and not is_library(value):
            yield value
        if not is_library(owner):
            yield from (member for name, member in vars(owner).items() if name in names and callable(member))


def _is_full(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False
