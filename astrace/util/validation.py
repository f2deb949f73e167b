"""The options of public functions: each is looked at where it is given, and a wrong one is refused with what is accepted.

Bottom of the package: it knows values and messages, nothing of what an option means.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.errors import InvalidArgument

LONGEST: Final = 60
"""The number of characters of a wrong value that are shown."""


def refused(function: str, option: str, value: Any, accepted: str) -> InvalidArgument:
    """The error for a wrong option.

    Args:
        function: the public function that was called.
        option: the name of the option.
        value: what was given.
        accepted: what is, in words.

    Example:
        >>> print(refused("compile", "backend", 3, "accepted is a name").message)
        compile: backend=3; accepted is a name
    """
    return InvalidArgument(f"{function}: {option}={shown(value)}; {accepted}")


def shown(value: Any) -> str:
    """A value that may be anything, in short."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = LONGEST
    return short.repr(value)


def choice(function: str, option: str, value: Any, accepted: Sequence[str | None]) -> Any:
    """Return one of some accepted names.

    Raises:
        InvalidArgument: it is none of them.
    """
    if (value is None or isinstance(value, str)) and value in accepted:
        return value
    raise refused(function, option, value, f"accepted are {', '.join(map(repr, accepted))}")


def flag(function: str, option: str, value: Any) -> bool:
    """True or false, and nothing that is taken for it.

    Raises:
        InvalidArgument: it is neither.
    """
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise refused(function, option, value, "accepted are True, False")


def names(function: str, option: str, value: Any) -> tuple[str, ...]:
    """A name, or several.

    Raises:
        InvalidArgument: it is no such thing.

    Example:
        >>> names("compile", "static_argnames", "n"), names("compile", "static_argnames", ["n", "m"])
        (('n',), ('n', 'm'))
    """
    return _several(function, option, value, lambda one: isinstance(one, str), "a name or a list of names")


def positions(function: str, option: str, value: Any) -> tuple[int, ...]:
    """A position, or several.

    Raises:
        InvalidArgument: it is no such thing.
    """
    return tuple(map(int, _several(function, option, value, is_whole, "a position or a list of positions")))


def _several(
    function: str, option: str, value: Any, fits: Callable[[Any], bool], accepted: str
) -> tuple[Any, ...]:
    if value is None:
        return ()
    single = fits(value)
    listed = (value,) if single else value
    if not single and (isinstance(value, str | Mapping) or not isinstance(value, Iterable)):
        raise refused(function, option, value, f"accepted is {accepted}")
    found = tuple(listed)  # pyright: ignore[reportUnknownVariableType]
    if not all(map(fits, found)):  # pyright: ignore[reportUnknownArgumentType]
        raise refused(function, option, value, f"accepted is {accepted}")
    return found  # pyright: ignore[reportUnknownVariableType]


def is_whole(value: Any) -> bool:
    """Return whether a value is a whole number, and no flag."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def count(function: str, option: str, value: Any, least: int, *, optional: bool = False) -> None:
    """A whole number that is at least so much; nothing, if that is an option.

    Raises:
        InvalidArgument: it is no such number.
    """
    if not (optional and value is None) and not (is_whole(value) and value >= least):
        raise refused(function, option, value, _at_least(least, "a whole number", optional))


def amount(function: str, option: str, value: Any, *, optional: bool = False) -> None:
    """A number that is not negative; nothing, if that is an option.

    Raises:
        InvalidArgument: it is no such number.
    """
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    fits = number and not math.isnan(value) and value >= 0
    if not fits and not (optional and value is None):
        raise refused(function, option, value, _at_least(0, "a number", optional))


def _at_least(least: int, what: str, optional: bool) -> str:
    return f"it must be {what}, at least {least}{', or None' * optional}"
