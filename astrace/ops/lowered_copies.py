"""Ops of lowered blocks that copy what a program overwrites, so that it is put back where the program gives up.

They tell machine code what to copy; Python alone copies all arrays first, and has none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final


def keep_part(undo: int, array: Any, *indices: int, axes: str, place: int) -> bool:
    """Copy a part of an array; tells whether that failed."""
    return False


def keep_log(undo: int, array: Any, *indices: int, axes: str, place: int) -> bool:
    """Make memory for the items of a part of an array; tells whether that failed."""
    return False


def keep_items(undo: int, array: Any, count: int, *indices: int, axes: str, axis: int, place: int) -> None:
    """Copy items to memory that `keep_log` has made: some from an index on, along one axis, and those between them and others."""


COPIES: Final[Mapping[str, Callable[..., Any]]] = {
    "keep_part": keep_part,
    "keep_log": keep_log,
    "keep_items": keep_items,
}
"""The ops, and what they do."""
