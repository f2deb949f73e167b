"""Objects that a check can't put back: what is taken from a generator or sent through a socket is gone.

`UNKEPT` has a row for each kind, by the module of its class, so that nothing is imported for it.
"""

from __future__ import annotations

from typing import Any, Final

ITERATORS: Final = frozenset(
    {"generator", "enumerate", "zip", "map", "filter", "reversed", "callable_iterator"}
)
"""Iterators of Python's own that only go on."""

UNKEPT: Final = {
    "itertools": "how far it has come",
    "socket": "what it sends and receives",
    "_socket": "what it sends and receives",
    "ssl": "what it sends and receives",
    "sqlite3": "what is in the database",
    "_hashlib": "what it was fed",
    "_blake2": "what it was fed",
    "zlib": "what it was fed",
    "_bz2": "what it was fed",
    "_lzma": "what it was fed",
    "mmap": "what is in the file",
    "_csv": "how far it has come",
    "subprocess": "what the process does",
}
"""What of an object can't be put back, by the module of its class."""


def what_is_lost(value: Any) -> str:
    """What of an object can't be put back after a call has changed it; empty where nothing is known.

    Example:
        >>> import itertools
        >>> what_is_lost(itertools.count()), what_is_lost([1.0])
        ('how far it has come', '')
    """
    cls = type(value)
    if isinstance(value, type):
        return ""
    if cls.__module__ == "builtins":
        return UNKEPT["itertools"] if cls.__name__ in ITERATORS else ""
    return UNKEPT.get(cls.__module__, "")
