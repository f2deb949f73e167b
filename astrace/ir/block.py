"""Nodes and blocks, the graph itself.

All of it is frozen and compared by identity.  A block is closed: its nodes use its own inputs, the
outputs of earlier nodes and constants, nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from astrace.ir.text import block_text
from astrace.ir.values import LITERAL, Constant, Operand, Origin, Value
from astrace.locations import Location

__all__ = ["LITERAL", "NO_ATTRS", "Block", "Constant", "Node", "Operand", "Origin", "Value"]

NO_ATTRS: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One step.

    Args:
        op: the name of an op, or ``cond``, ``while_loop``, ``for_loop``, ``try_`` or ``with_``.
        inputs: what it is given.
        outputs: what it makes.
        attrs: static keyword arguments; ``pattern`` lays the inputs out where they are nested.
        regions: the blocks of a control flow node.
        location: the user's line.
        raises: it may raise where it would only warn, as under ``np.errstate(all="raise")``.
    """

    op: str
    inputs: tuple[Operand, ...]
    outputs: tuple[Value, ...]
    attrs: Mapping[str, Any] = field(default_factory=lambda: NO_ATTRS)
    regions: tuple[Block, ...] = ()
    location: Location | None = None
    raises: bool = False

    @property
    def output(self) -> Value:
        """The only output."""
        (output,) = self.outputs
        return output


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A closed sequence of nodes in execution order."""

    inputs: tuple[Value, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[Operand, ...] = ()

    def __str__(self) -> str:

        return block_text(self)
