"""Calls that are known to change what was there before, and give something back: settings, containers, streams.

`astrace.trace` makes calls that depend on no argument once, while it freezes.  These it leaves to the graph, which does
them when it runs: tracing changes nothing, and the graph changes what the function changes.
"""

from __future__ import annotations

import contextvars
import io
import queue
import types
from collections import abc
from typing import Any, Final

from astrace.ops.callables.purity import PurityRow, row_in

SETTERS: Final = (
    PurityRow("numpy", ("seterr", "seterrcall", "setbufsize", "set_printoptions"), "a setting of NumPy"),
    PurityRow("numpy.random", ("seed", "set_state"), "a random stream"),
    PurityRow("random", ("seed", "setstate", "Random.seed", "Random.setstate"), "a random stream"),
    PurityRow("os", ("umask", "chdir", "putenv", "unsetenv", "write", "nice"), "the process"),
    PurityRow("locale", ("setlocale",), "the locale"),
    PurityRow("signal", ("signal", "alarm", "setitimer"), "signals"),
    PurityRow("gc", ("collect", "enable", "disable"), "the garbage collector"),
    PurityRow("threading", ("stack_size",), "threads"),
    PurityRow("decimal", ("setcontext",), "the decimal context"),
    PurityRow("heapq", ("heappop", "heappushpop", "heapreplace"), "a list"),
)
"""Functions that set something; most of them return the former value."""

METHODS: Final = (
    (abc.MutableMapping, frozenset({"pop", "popitem", "setdefault", "update", "clear"})),
    (
        abc.MutableSequence,
        frozenset(
            {"append", "appendleft", "clear", "extend", "extendleft", "insert", "pop", "popleft", "remove"}
        )
        | {"reverse", "rotate", "sort"},
    ),
    (abc.MutableSet, frozenset({"add", "clear", "discard", "pop", "remove", "update"})),
    (queue.SimpleQueue, frozenset({"get", "get_nowait", "put", "put_nowait"})),
    (queue.Queue, frozenset({"get", "get_nowait", "put", "put_nowait"})),
    (contextvars.ContextVar, frozenset({"set", "reset"})),
    (io.IOBase, frozenset({"close", "flush", "truncate", "write", "writelines"})),
)
"""Methods that change their object, by class."""


def sets(function: Any, *args: Any) -> bool:
    """Return whether a call is known to change state that existed before it.

    Args:
        function: what is called.
        *args: the positional arguments.

    Example:
        >>> import time
        >>> import numpy as np
        >>> sets(np.seterr), sets([1.0].pop), sets(list.pop, [1.0]), sets(time.time)
        (True, True, True, False)
    """
    owner = getattr(function, "__self__", None) if isinstance(function, BOUND) else None
    if isinstance(owner, types.ModuleType | type):
        owner = None
    if owner is None and args and isinstance(function, UNBOUND):
        owner = args[0] if getattr(type(args[0]), function.__name__, None) is function else None
    if owner is not None and sets_by(owner, function.__name__):
        return True
    return row_in(SETTERS, function) is not None


UNBOUND: Final = (types.FunctionType, types.MethodDescriptorType)
BOUND: Final = (types.MethodType, types.BuiltinMethodType)


def sets_by(owner: Any, method: Any) -> bool:
    """Return whether a method is known to change its object."""
    return any(isinstance(owner, cls) and method in names for cls, names in METHODS)
