"""Checks in a loop that something outside is still as it was, taken out of the loop.

Code that is not known may change globals, so that what was read before is read and checked again behind it.  Once it turns
out that nothing in a loop does, one look in front of the loop is enough.  Takes a loop; gives the loop without its checks, and
what has to hold when it is entered.  It does not know whether the loop leaves the outside alone.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from astrace.errors import StateChanged
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.specs import AnySpec
from astrace.ir.walk import blocks, captured, nodes, uses
from astrace.ops import OPS

CHECKS: Final = frozenset({"check_still", "check_unchanged"})
ALL_CHECKS: Final = CHECKS | {"check_array"}
"""Those, and checks of arrays, which nothing in such a loop changes: each is as it was checked to be before."""
READS: Final = frozenset({"read_global", "read_cell", "get_attr"})
"""What reads the places that are checked."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that has to hold when a loop is entered.

    Args:
        holds: tells whether it does, for what the operands are then.
        operands: values and constants outside the loop.
    """

    holds: Callable[..., bool]
    operands: tuple[Operand, ...]


def without_checks(loop: Node) -> tuple[Node, tuple[Condition, ...]] | None:
    """Return a loop without the checks in it, and what they check; ``None`` where one looks at what the loop computes.

    Args:
        loop: a node with regions.
    """
    around = Block((), (loop,))
    outside = captured(around)
    makers = {output: node for node in nodes(around) for output in node.outputs}
    found: list[Condition] = []
    for node in nodes(around):
        if node.op in CHECKS:
            condition = _condition(node, makers, outside)
            if condition is None or any(one in makers for one in condition.operands):
                return None
            found.append(condition)
    checks = found or any(node.op in ALL_CHECKS for node in nodes(around))
    return (_bare(around) if checks else loop), tuple(found)


def _condition(
    check: Node, makers: Mapping[Value, Node], outside: Mapping[Operand, Operand]
) -> Condition | None:
    """Return what a check checks; ``None`` where that is not a place that is read outside."""
    if check.op == "check_still":
        return Condition(_passes(check, ()), tuple(outside.get(one, one) for one in check.inputs))
    found, *expected = check.inputs
    read = makers.get(found) if isinstance(found, Value) else None
    if read is None or read.op not in READS or not all(isinstance(one, Constant) for one in expected):
        return None
    owner = outside.get(read.inputs[0], read.inputs[0])
    if read.op == "get_attr" and owner.spec != AnySpec(types.ModuleType):
        return None
    return Condition(_passes(check, (read,)), (owner, *read.inputs[1:], *expected))


def _passes(check: Node, reads: tuple[Node, ...]) -> Callable[..., bool]:
    """Return what tells whether a check passes, for the inputs of the read in front of it, and its own other ones."""
    function = OPS[check.op].function
    read = OPS[reads[0].op].function if reads else None

    def holds(*objects: Any) -> bool:
        try:
            if read is None:
                function(*objects)
            else:
                function(read(*objects[:2]), *objects[2:])
        except (StateChanged, NameError, AttributeError):
            return False
        return True

    return holds


def _bare(around: Block) -> Node:
    """Return the loop of a block without checks, and without reads that are used for nothing else."""
    used = {value for block in blocks(around) for value in uses(_unchecked(block))}

    def step(node: Node, builder: Builder) -> None:
        is_needed = node.op not in READS or any(output in used for output in node.outputs)
        if node.op not in ALL_CHECKS and is_needed:
            builder.keep(node)

    return rebuild(around, step).nodes[0]


def _unchecked(block: Block) -> Block:
    """Return a block without its own checks."""
    return Block(
        block.inputs, tuple(node for node in block.nodes if node.op not in ALL_CHECKS), block.outputs
    )
