"""Computations on constants whose results are too large to be made while tracing.

``9 ** 9 ** 9`` in a branch that is never taken costs nothing as plain Python.  Computed while tracing it
would take for ever, so it is a node, computed when the program comes there.
"""

from __future__ import annotations

import math
import operator
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

MOST_BITS: Final = 10_000
"""Integers up to this size are computed at once; they have few enough digits to be printed."""
MOST_ITEMS: Final = 10**6
MOST_LISTED: Final = 1_000
"""The number of items up to which a list or a tuple is made while tracing; a longer one is made when the program runs."""
MOST_WALKED: Final = 10_000
"""The number of items of a constant that are looked at one by one."""


def is_large(function: Callable[..., Any], args: Sequence[Any]) -> bool:
    """Return whether a function of Python's may give a result too large to be computed while tracing.

    Example:
        >>> is_large(pow, (9, 9)), is_large(pow, (9, 9**9)), is_large(operator.mul, ("a", 10**9))
        (False, True, True)
    """
    if not isinstance(function, types.BuiltinFunctionType | type):
        return False
    if function not in GLANCES and any(map(_is_long, args)):
        return True
    if not 1 <= len(args) <= 2:
        return False
    if isinstance(function, type):
        return function in FILLED and _is_whole(args[0]) and args[0] > MOST_ITEMS
    if isinstance(function.__self__, str | bytes) and function.__name__ in PADDING:
        return _is_whole(args[0]) and args[0] > MOST_ITEMS
    measure = MEASURES.get(function)
    return measure is not None and measure(*args)


GLANCES: Final = frozenset(
    {len, isinstance, issubclass, callable, bool, type, range, slice, zip, enumerate, iter}
)
"""Functions that look at no item of a constant."""
FILLED: Final = frozenset({bytes, bytearray})
"""Types that make as many items as a number says."""


def _is_long(value: Any) -> bool:
    """Return whether a constant has more items than are looked at while tracing."""
    if type(value) is range:
        return abs(value.stop - value.start) > MOST_WALKED * abs(value.step)
    return type(value) in WALKED and len(value) > MOST_WALKED


WALKED: Final = (str, bytes, tuple, frozenset, list, dict, set)


PADDING: Final = frozenset({"ljust", "rjust", "center", "zfill", "expandtabs"})


def _power(base: Any, exponent: Any = None) -> bool:
    if not (_is_whole(base) and _is_whole(exponent)):
        return False
    return abs(base) > 1 and base.bit_length() * exponent > MOST_BITS


def _shift(number: Any, places: Any = None) -> bool:
    return _is_whole(number) and _is_whole(places) and number.bit_length() + places > MOST_BITS


def _product(left: Any, right: Any = None) -> bool:
    if _is_whole(left) and _is_whole(right):
        return left.bit_length() + right.bit_length() > MOST_BITS
    items, count = (right, left) if _is_whole(left) else (left, right)
    most = MOST_LISTED if isinstance(items, list | tuple) else MOST_ITEMS
    return type(items) in REPEATED and _is_whole(count) and len(items) * count > most


REPEATED: Final = (str, bytes, bytearray, list, tuple)


def _rounded(number: Any, places: Any = None) -> bool:
    return _is_whole(number) and _is_whole(places) and -places > MOST_BITS


def _choices(number: Any, chosen: Any = None) -> bool:
    """Return whether permutations or combinations are too many; all items of a number give its factorial."""
    count = number if chosen is None else chosen
    return _is_whole(number) and _is_whole(count) and number.bit_length() * min(number, count) > MOST_BITS


def _is_whole(value: Any) -> bool:
    return type(value) in (int, bool)


MEASURES: Final[Mapping[Any, Callable[..., bool]]] = {
    pow: _power,
    operator.pow: _power,
    operator.lshift: _shift,
    operator.mul: _product,
    operator.imul: _product,
    round: _rounded,
    math.comb: _choices,
    math.perm: _choices,
    math.factorial: _choices,
}
