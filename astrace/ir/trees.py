"""Nodes whose arguments are trees of operands: lists, tuples and slices of them, arguments by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from astrace.ir.block import NO_ATTRS, Node
from astrace.ir.values import Operand, Value
from astrace.locations import Location
from astrace.util.trees import Hole, Pattern, Tree, map_tree


def laid_out(
    args: Sequence[Tree], kwargs: Mapping[str, Tree] = NO_ATTRS
) -> tuple[tuple[Operand, ...], Mapping[str, Any]]:
    """Return the operands in trees of arguments, and the attributes that lay them out in this way.

    Example:
        >>> from astrace.ir.block import Constant
        >>> laid_out(((Constant(1), Constant(2)),), {"axis": Constant(0)})[1]
        {'pattern': Pattern(args=((Hole(index=0), Hole(index=1)),), kwargs={'axis': Hole(index=2)})}
    """
    if not kwargs and all(isinstance(one, Operand) for one in args):
        return tuple(args), NO_ATTRS
    operands: list[Operand] = []

    def hole(leaf: Any) -> Any:
        if not isinstance(leaf, Operand):
            return leaf
        operands.append(leaf)
        return Hole(len(operands) - 1)

    pattern = Pattern(map_tree(hole, tuple(args)), map_tree(hole, dict(kwargs)))
    return tuple(operands), {"pattern": pattern}


def node_of(
    op: str,
    args: Sequence[Tree],
    out: Value,
    location: Location | None,
    named: Mapping[str, Tree] = NO_ATTRS,
) -> Node:
    """Return a node that makes one value, out of trees of arguments."""
    operands, attrs = laid_out(args, named)
    return Node(op, operands, (out,), attrs, location=location)
