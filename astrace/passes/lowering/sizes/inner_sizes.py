"""The sizes that count in loops: those that inner loops run over, and those of what loops make."""

from __future__ import annotations

from collections.abc import Iterable

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.walk import nodes
from astrace.passes.fusion.loop_front import NUMBERS

LOOPS = frozenset({"for_loop", "while_loop"})


def inner_sizes(block: Block, meeting: Iterable[tuple[Operand, Operand]]) -> set[Operand]:
    """Return the sizes that loops and arrays in loops have, or that theirs are computed from, and those that are taken to be the same.

    Args:
        block: a lowered block, whose regions may use the values around them.
        meeting: sizes that are taken to be the same.
    """
    makers = {output: node for node in nodes(block) for output in node.outputs if node.op in NUMBERS}
    found: set[Operand] = set()
    for loop in _outermost(block):
        for node in (one for region in loop.regions for one in nodes(region)):
            _add_sources(_sizes_in(node), makers, found)
    return _with_equal(found, meeting)


def _outermost(block: Block) -> Iterable[Node]:
    """The loops that stand in no other loop."""
    pending = [*block.nodes]
    while pending:
        node = pending.pop()
        if node.op in LOOPS:
            yield node
        else:
            pending += [one for region in node.regions for one in region.nodes]


def _sizes_in(node: Node) -> tuple[Operand, ...]:
    """The sizes that a node in a loop has to do with."""
    match node.op:
        case "for_loop":
            return node.inputs[:3]
        case "allocate" | "ne":
            return node.inputs
        case _:
            return ()


def _add_sources(sizes: Iterable[Operand], makers: dict[Value, Node], found: set[Operand]) -> None:
    """Add sizes, and what they are computed from."""
    pending = [*sizes]
    while pending:
        one = pending.pop()
        if not isinstance(one, Value) or one in found:
            continue
        found.add(one)
        if one in makers and makers[one].op != "dim":
            pending += makers[one].inputs


def _with_equal(found: set[Operand], meeting: Iterable[tuple[Operand, Operand]]) -> set[Operand]:
    """Return sizes, and those that are taken to be the same as one of them."""
    pairs, before = [*meeting], -1
    while before != len(found):
        before = len(found)
        found = found.union(*(pair for pair in pairs if not found.isdisjoint(pair)))
    return found
