"""Room on the stack of Python's frames, so that calls do not get and give back memory where one piece of it ends.

CPython keeps frames in pieces of 16 KiB.  A call that does not fit in the piece gets a new one, and gives it back when it
returns: a loop of calls at such a place takes some microseconds more for each, and whether it lies there depends on all frames below
it (``_PyThreadState_PushFrame`` in CPython's ``Python/pystate.c``).  Frames that are put between a program's own move these places.
"""

from __future__ import annotations

import types
from typing import Any, Final, TypeVar, cast

SLOTS: Final = 1 << 14
"""The words that a frame with room claims, 128 KiB: CPython gets twice as much for it, and calls from there have the rest."""

Function = TypeVar("Function")


def with_room(function: Function) -> Function:
    """Return a copy of a function whose calls get a piece of the stack with room for some hundred frames.

    Args:
        function: a Python function without a closure; a call of the copy takes some microseconds more, however deep it goes.

    Example:
        >>> def called(depth):
        ...     return depth and called(depth - 1)
        >>> with_room(called)(10)
        0
    """
    given = cast("types.FunctionType", function)
    code = given.__code__.replace(co_stacksize=given.__code__.co_stacksize + SLOTS)
    copy: Any = types.FunctionType(code, given.__globals__, given.__name__, given.__defaults__)
    copy.__kwdefaults__ = given.__kwdefaults__
    return copy
