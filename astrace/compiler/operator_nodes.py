"""The operators of a frozen graph: which of its nodes call one, and what belongs to their state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from astrace.guards.access_paths import Attribute, Item, Path, Root
from astrace.ir.block import Block
from astrace.ir.walk import constants
from astrace.ops.callables.operators import declared_as, held_by


def operators_in(block: Block, pinned: Iterable[Any]) -> list[Any]:
    """The operators that a block calls, or hands to others, in the order in which it does.

    Args:
        block: the block.
        pinned: the objects from outside that its inputs stand for.
    """
    values = (*pinned, *(constant.value for constant in constants(block)))
    return list({id(one): one for one in values if declared_as(one) is not None}.values())


def operator_state(block: Block, pinned: Iterable[Any]) -> dict[int, Any]:
    """The objects that can change with a call of an operator that is a node, by ``id``."""
    found: dict[int, Any] = {}
    for one in operators_in(block, pinned):
        found |= held_by(one)
    return found


def live_path(path: Path, state: Mapping[int, Any], given: Mapping[str, Any]) -> Path | None:
    """The path of a read from the state of an operator, beginning at the object that is read from; else ``None``."""
    if not isinstance(path, Attribute | Item):
        return None
    owner = path.owner.follow(given)
    if id(owner) in state:
        return replace(path, owner=Root(owner, str(path.owner)))
    return None
