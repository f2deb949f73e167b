"""Objects that a check can't put back: what is taken from a generator or sent through a socket is gone.

`LOST_STATE` has a row for each kind, by the module of its class, so that nothing is imported for it.
"""

from __future__ import annotations

from typing import Any, Final

ITERATORS: Final = frozenset(
    {"generator", "enumerate", "zip", "map", "filter", "reversed", "callable_iterator"}
)
"""Iterators of Python's own that only go on."""

LOST_STATE: Final = {
    "itertools": "its position",
    "socket": "the data that it sends and receives",
    "_socket": "the data that it sends and receives",
    "ssl": "the data that it sends and receives",
    "sqlite3": "the contents of the database",
    "_hashlib": "the data that it was given",
    "_blake2": "the data that it was given",
    "zlib": "the data that it was given",
    "_bz2": "the data that it was given",
    "_lzma": "the data that it was given",
    "mmap": "the contents of the file",
    "_csv": "its position",
    "subprocess": "the work of the process",
}
"""The state of an object that can't be put back, by the module of its class."""


def what_is_lost(value: Any) -> str:
    """Name the state of an object that can't be put back after a call has changed it; empty where nothing is known.

    Example:
        >>> import itertools
        >>> what_is_lost(itertools.count()), what_is_lost([1.0])
        ('its position', '')
    """
    cls = type(value)
    if isinstance(value, type):
        return ""
    if cls.__module__ == "builtins":
        return LOST_STATE["itertools"] if cls.__name__ in ITERATORS else ""
    return LOST_STATE.get(cls.__module__, "")
