"""Paths in arguments: strings, `Path` objects and bytes that name something, at any depth of containers and dataclasses."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import PurePath
from typing import Any, Final

import numpy as np

from astrace.util.trees import is_namedtuple

LONGEST: Final = 4096
"""The length of the longest path that is looked for."""
DOTS: Final = f"./{os.path.sep}"
TEXTS: Final = (str, bytes, np.str_, np.bytes_)
"""The classes of texts that may be paths, beside those of `pathlib`."""
DEEPEST: Final = 100
"""The depth to which containers are looked through."""


@dataclass(frozen=True, slots=True)
class FoundPath:
    """A part of an argument that names something that exists.

    Args:
        parameter: the constructor's parameter.
        place: where in the argument it stands: ``$.cfg[2]['a.b']``.
        path: the whole path of what it names.
        mark: tells whether it is still what it was: size, time of change and number of a file; nothing of a folder.
        index: the number of the argument.
        text: the path as it was written.
    """

    parameter: str
    place: str
    path: str
    mark: tuple[int, ...]
    index: int = 0
    text: str = ""


def found_paths(parameter: str, value: Any, index: int = 0) -> Iterator[FoundPath]:
    """Look for paths in an argument, whose number may be told.

    Example:
        >>> [found.place for found in found_paths("cfg", {"a.b": [os.curdir, os.path.abspath(os.curdir)]})]
        ["$['a.b'][1]"]
    """
    for place, one in path_leaves(value):
        found = existing(one)
        if found is not None:
            yield FoundPath(parameter, place, found, mark_of(found), index, os.fsdecode(one))


def path_leaves(value: Any) -> Iterator[tuple[str, str | bytes | PurePath]]:
    """Yield what may be a path in an argument, each with its place; what is in shared objects once."""
    pending: list[tuple[str, Any, int]] = [("$", value, 0)]
    met: dict[int, Any] = {}
    while pending:
        place, one, depth = pending.pop()
        if isinstance(one, PurePath) or type(one) in TEXTS:
            yield place, one
        elif depth < DEEPEST and id(one) not in met:  # what it holds has been seen
            met[id(one)] = one
            pending += [(place + step, inner, depth + 1) for step, inner in reversed(list(parts(one)))]


def parts(value: Any) -> Iterator[tuple[str, Any]]:
    """The parts of a container, an array of objects or a dataclass, each with the step to it; dictionaries by their values."""
    if isinstance(value, dict):
        yield from ((f"[{key!r}]", one) for key, one in value.items())
    elif is_namedtuple(value):
        yield from ((f".{name}", one) for name, one in zip(value._fields, value, strict=True))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from ((f"[{index}]", one) for index, one in enumerate(in_order(value)))
    elif type(value) is np.ndarray and value.dtype == object:
        yield from ((f"[{index}]", one) for index, one in enumerate(value.flat))
    elif is_dataclass(value) and not isinstance(value, type):
        yield from ((f".{one.name}", getattr(value, one.name, None)) for one in fields(value) if one.init)


def in_order(value: Any) -> list[Any]:
    """The items of a container in an order that does not depend on the process: those of sets by their text.

    Example:
        >>> in_order({"b", "a"})
        ['a', 'b']
    """
    if not isinstance(value, set | frozenset):
        return list(value)
    return sorted(value, key=lambda one: (type(one).__name__, repr(one)))


def existing(value: str | bytes | PurePath) -> str | None:
    """Return the whole path of what a value names; ``None`` where there is no such thing, or it is only dots and slashes."""
    text = os.fsdecode(value)
    if not text.strip(DOTS) or len(text) > LONGEST or "\0" in text:
        return None
    full = os.path.abspath(text)
    try:
        os.stat(full)
    except (OSError, ValueError):
        return None
    return full


def mark_of(path: str) -> tuple[int, ...]:
    """What tells that a file is still what it was; nothing for a folder or a device, or where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return (-1,)
    return (found.st_size, found.st_mtime_ns, found.st_ino) if stat.S_ISREG(found.st_mode) else ()
