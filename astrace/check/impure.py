"""Which callables ask the world: clocks, entropy, random generators, files, processes, the network.

One table, by module; a function is impure if its module is, or its name in a module that is so in part.  What is
in no row is not known to be impure.
"""

from __future__ import annotations

import random
import types
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

EVERYTHING: Final = frozenset({"*"})

SOURCES: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    "time": ("a clock", EVERYTHING),
    "datetime": ("a clock", frozenset({"now", "today", "utcnow"})),
    "random": ("a random generator", EVERYTHING),
    "numpy.random": ("a random generator", EVERYTHING),
    "secrets": ("entropy", EVERYTHING),
    "uuid": ("entropy", frozenset({"uuid1", "uuid4"})),
    "os": ("the operating system", EVERYTHING),
    "posix": ("the operating system", EVERYTHING),
    "nt": ("the operating system", EVERYTHING),
    "io": ("a file", frozenset({"open"})),
    "_io": ("a file", EVERYTHING),
    "pathlib": (
        "a file",
        frozenset({"read_text", "read_bytes", "open", "exists", "stat", "cwd", "home", "glob"}),
    ),
    "shutil": ("a file", EVERYTHING),
    "tempfile": ("a file", EVERYTHING),
    "sqlite3": ("a database", EVERYTHING),
    "socket": ("the network", EVERYTHING),
    "urllib": ("the network", EVERYTHING),
    "http": ("the network", EVERYTHING),
    "requests": ("the network", EVERYTHING),
    "subprocess": ("another process", EVERYTHING),
    "multiprocessing": ("another process", EVERYTHING),
    "threading": ("threads", EVERYTHING),
    "platform": ("the machine", EVERYTHING),
    "locale": ("a setting", EVERYTHING),
    "_contextvars": ("a context variable", EVERYTHING),
    "builtins": ("the world", frozenset({"open", "input", "id", "hash"})),
    "numpy": (
        "a file or a setting",
        frozenset({"load", "loadtxt", "genfromtxt", "fromfile", "memmap", "geterr", "get_printoptions"}),
    ),
}
"""What the callables of a module ask, by their names."""

STREAMS: Final = (np.random.Generator, np.random.RandomState, random.Random)


def source_of(function: Any) -> str:
    """What a callable asks, in a few words; empty where nothing is known.

    Example:
        >>> import time
        >>> source_of(time.time), source_of(len)
        ('a clock', '')
    """
    owner = getattr(function, "__self__", None)
    if isinstance(owner, STREAMS):
        return "a random generator"
    if isinstance(owner, types.GeneratorType) or isinstance(function, types.GeneratorType):
        return "a generator, which goes on at every call"
    name: str = getattr(function, "__name__", "")
    module = getattr(function, "__module__", None)
    if module is None and owner is not None and not isinstance(owner, types.ModuleType):
        module = (owner if isinstance(owner, type) else type(owner)).__module__
    if module is None and getattr(function, "__objclass__", None) is not None:
        module = function.__objclass__.__module__
    return source_in(module or "", name)


def source_in(module: str, name: str) -> str:
    """What a function of a module asks."""
    while module:
        what, names = SOURCES.get(module, ("", frozenset[str]()))
        if name in names or names == EVERYTHING:
            return what
        module = module.rpartition(".")[0]
    return ""


def source_of_object(owner: Any) -> str:
    """What the methods of an object ask: a generator, a file, a connection, a context variable."""
    if isinstance(owner, STREAMS):
        return "a random generator"
    if isinstance(owner, types.GeneratorType):
        return "a generator, which goes on at every call"
    return source_in(type(owner).__module__, "*")
