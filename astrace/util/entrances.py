"""Calls between compiled functions that take one frame: what runs a call is found first, and called by the caller.

A compiled function that is called as any other one has the frame that looks for the specialisation under the frame of
what it runs.  Generated code calls it in two steps, ``f.enter(x)()``: the first finds, and its frame is gone when the
second runs.  So recursion through compiled functions reaches as deep as without compiling them.

Bottom of the package: it knows that there are compiled functions, and nothing of compiling.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

Find = Callable[..., Callable[[], Any]]


class Entrance:
    """The way into a compiled function that takes one frame: finds what runs a call.

    Args:
        build: makes ``enter``, when it is called first after `renew`.

    Example:
        >>> entrance = Entrance(lambda: lambda x: functools.partial(abs, x))
        >>> entrance.enter(-1)()
        1
    """

    __slots__ = ("_build", "enter")

    def __init__(self, build: Callable[[], Find]) -> None:
        self._build = build
        self.enter: Find = self._first

    def renew(self) -> None:
        """Make ``enter`` anew when it is called next."""
        self.enter = self._first

    def _first(self, /, *args: Any, **kwargs: Any) -> Callable[[], Any]:
        self.enter = enter = self._build()
        return enter(*args, **kwargs)


class CompiledForm:
    """A compiled function, seen from below the compiler."""

    __slots__ = ()

    if TYPE_CHECKING:
        __astrace_entrance__: Entrance
        __astrace_function__: Any


class BoundForm:
    """A method of an instance that is a compiled function."""

    __slots__ = ()

    if TYPE_CHECKING:
        __func__: Any
        __self__: Any


@dataclass(frozen=True, slots=True)
class Entrances:
    """The calls of compiled functions in a graph.

    Args:
        functions: the entrances by the identity of the functions that the graph calls.
        names: under which compiled functions are read when the graph runs.
    """

    functions: Mapping[int, Entrance]
    names: frozenset[str] = frozenset()


NO_ENTRANCES: Final = Entrances({})


def function_of(value: Any) -> Any:
    """Return the function inside a compiled one, whatever it shows as ``__wrapped__``; None of anything else."""
    return value.__astrace_function__ if issubclass(type(value), CompiledForm) else None


def entry(function: Any) -> Find:
    """Return the entrance of a callable; of all but compiled functions it is the callable itself.

    Example:
        >>> entry(max)(1, 2)()
        2
    """
    if issubclass(type(function), CompiledForm):
        return function.__astrace_entrance__.enter
    if issubclass(type(function), BoundForm):
        return functools.partial(function.__func__.__astrace_entrance__.enter, function.__self__)
    return functools.partial(functools.partial if callable(function) else _uncallable, function)


def _uncallable(function: Any, /, *args: Any, **kwargs: Any) -> Callable[[], Any]:
    """Python's own complaint, where the call is."""
    return lambda: function(*args, **kwargs)
