"""What ``a, b, *rest = items`` binds, for items of any kind: as many are taken as Python takes, with its words for errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from astrace.util.trees import members, resolution_order

END: Final = object()


def unpack(items: Any, before: int, after: int | None = None) -> tuple[Any, ...]:
    """The values that ``a, b, *rest, c = items`` binds: ``before`` names, a list and ``after`` names.

    Raises:
        ValueError: there are too few or too many items, in Python's words.
        TypeError: ``items`` can't be iterated over.
    """
    if after is not None:
        return _unpack_starred(items, before, after)
    iterator = _unpacked(items)
    found = _first_items(iterator, before)
    if len(found) < before:
        raise ValueError(f"not enough values to unpack (expected {before}, got {len(found)})")
    if next(iterator, END) is not END:
        raise ValueError(f"too many values to unpack (expected {before})")
    return tuple(found)


def _unpacked(items: Any) -> Iterator[Any]:
    """An iterator over what is unpacked; unpacking has words of its own for objects without one."""
    classes = map(members, resolution_order(type(items)))
    if not any("__iter__" in names or "__getitem__" in names for names in classes):
        raise TypeError(f"cannot unpack non-iterable {type(items).__name__} object")
    return iter(items)


def _first_items(iterator: Iterator[Any], count: int) -> list[Any]:
    """The first items; the iterator itself need not be one that can be walked."""
    found: list[Any] = []
    while len(found) < count and (item := next(iterator, END)) is not END:
        found.append(item)
    return found


def _unpack_starred(items: Any, before: int, after: int) -> tuple[Any, ...]:
    iterator = _unpacked(items)
    found = _first_items(iterator, before)
    found += list(iterator) if len(found) == before else ()  # Python makes a list of the rest
    if len(found) < before + after:
        message = f"not enough values to unpack (expected at least {before + after}, got {len(found)})"
        raise ValueError(message)
    end = len(found) - after
    return (*found[:before], found[before:end], *found[end:])
