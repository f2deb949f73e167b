"""Loops along axes whose end meets their start, which ``wrapped`` indices go round: each runs in parts, between the ends.

``a - np.roll(a, 1)`` reads ``a[i - 1]``, and the last item where there is none before.  Which it is, is known for all of a part, so
that LLVM computes several elements at once.  What does not change in a loop is computed in front of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import GenericSpec
from astrace.ir.walk import nodes
from astrace.passes.fusion.groups import EqualSizes
from astrace.passes.fusion.statements import COUNTING
from astrace.passes.fusion.tiles import ONE, ZERO, Numbers
from astrace.passes.lowering.block import identity, same_operand
from astrace.passes.lowering.forms import BOOL, INT

PURE: Final = frozenset({"mod", "dim"})
"""The ops whose results are the same where their operands are, among those that lengths and shifts are computed with."""


def with_wrapped_in_parts(block: Block) -> Block:
    """Return a block without ``wrapped`` indices.

    Args:
        block: a lowered block, whose regions may use the values around them.
    """
    if not any(node.op == "wrapped" for node in nodes(block)):
        return block
    return _Wrapping({output: node for node in nodes(block) for output in node.outputs}).block(block)


@dataclass(slots=True)
class _Lines:
    """The nodes of a block or a region.

    Args:
        nodes: those so far.
        movable: those among them that may as well stand in front of a loop around.
    """

    nodes: list[Node] = field(default_factory=list[Node])
    movable: dict[Node, None] = field(default_factory=dict[Node, None])

    def add_movable(self, found: Iterable[Node]) -> None:
        """Add nodes that may stand further in front."""
        for node in found:
            self.nodes.append(node)
            self.movable[node] = None

    def leave(self, own: Iterable[Value]) -> list[Node]:
        """Take out the nodes that need nothing of a region, whose inputs are given: they stand in front of its loop."""
        inside = {*own, *(value for node in self.nodes for value in node.outputs)}
        found: list[Node] = []
        for node in self.movable:
            if inside.isdisjoint(node.inputs):
                found.append(node)
                inside.difference_update(node.outputs)
        left = set(found)
        self.nodes = [node for node in self.nodes if node not in left]
        return found


@dataclass(slots=True)
class _Wrapping:
    """The pass on one block.

    Args:
        makers: the nodes that make values.
        equal: the sizes that are known to be equal so far.
    """

    makers: dict[Operand, Node]
    equal: EqualSizes = field(default_factory=EqualSizes)

    def block(self, block: Block) -> Block:
        """Return a block or a region with loops in parts."""
        return replace(block, nodes=tuple(self._level(block).nodes))

    def _level(self, block: Block) -> _Lines:
        level = _Lines()
        for node in block.nodes:
            if node.op == "wrapped":
                self._write_index(level, node)
            elif node.op == "for_loop":
                self._write_loop(level, node)
            else:
                self._note(node)
                inside = tuple(map(self.block, node.regions))
                level.nodes.append(replace(node, regions=inside) if node.regions else node)
        return level

    def _note(self, node: Node) -> None:
        """Note sizes that are equal from here on, the program being given up where they are not."""
        test = self.makers.get(node.inputs[0]) if node.op == "deopt" and node.inputs else None
        if test is not None and test.op == "ne":
            self.equal.note(test)

    def _write_index(self, level: _Lines, node: Node) -> None:
        """Write an index: the one before, or that of the other end."""
        index, by, size = node.inputs
        numbers = Numbers()
        before = numbers.minus(index, by)
        behind = numbers.add("add", before, size)
        is_there = numbers.add("ge", index, by, dtype=BOOL)
        level.add_movable([*numbers.nodes, Node("select", (is_there, before, behind), node.outputs)])

    def _write_loop(self, level: _Lines, loop: Node) -> None:
        """Write a loop, with what does not change in it in front."""
        (region,) = loop.regions
        ends = _ends(loop)
        if not ends:
            inside = self._level(region)
            level.add_movable(inside.leave(region.inputs))
            level.nodes.append(replace(loop, regions=(replace(region, nodes=tuple(inside.nodes)),)))
            return
        others = self._level(replace(region, nodes=tuple(one for one in region.nodes if one not in ends)))
        level.add_movable(others.leave((*region.inputs, *(one.output for one in ends))))
        self._write_parts(level, replace(loop, regions=(replace(region, nodes=tuple(others.nodes)),)), ends)

    def _write_parts(self, level: _Lines, loop: Node, ends: list[Node]) -> None:
        """Write a loop that runs in parts, at each of which its ``wrapped`` indices are as far from its own."""
        start, stop, _ = loop.inputs
        (region,) = loop.regions
        (index,) = region.inputs
        part, first = Value(GenericSpec(INT), "part"), Value(GenericSpec(INT), "first")
        numbers, limit, inside = Numbers(), stop, list[Node]()
        distances: dict[Hashable, Operand] = {}
        front = Numbers()
        for node in ends:
            _, by, size = node.inputs
            key = (self._key(by), self._key(size))
            if key not in distances:
                there, behind = front.minus(ZERO, by), front.minus(size, by)
                is_before = numbers.add("lt", first, by, dtype=BOOL)
                distances[key] = numbers.add("select", is_before, behind, there, name="distance")
                limit = numbers.smaller(limit, numbers.add("select", is_before, by, stop))
            inside.append(Node("add", (index, distances[key]), node.outputs))
        level.add_movable(front.nodes)
        inner = replace(
            loop, inputs=(first, limit, ONE), regions=(replace(region, nodes=(*inside, *region.nodes)),)
        )
        body = Block((part, first), (*numbers.nodes, inner), (limit,))
        bounds = (ZERO, Constant(len(distances) + 1), ONE, start)
        done = Value(GenericSpec(INT), "done")
        level.nodes.append(replace(loop, inputs=bounds, outputs=(done,), regions=(body,)))

    def _key(self, operand: Operand) -> Hashable:
        """Return what is equal for operands that hold the same number."""
        node = self.makers.get(operand) if isinstance(operand, Value) else None
        if node is not None and node.op in PURE:
            first = next(iter(self.equal.members(operand)))
            return identity(first) if node.op == "dim" else (node.op, *map(self._key, node.inputs))
        return identity(operand)


def _ends(loop: Node) -> list[Node]:
    """Return the indices in a loop that go round with its own; none where it does not go through elements one after the other."""
    if loop.attrs["over"] != COUNTING or loop.attrs["breaks"] or len(loop.inputs) != 3:
        return []
    (region,) = loop.regions
    if not same_operand(loop.inputs[2], ONE) or any(node.regions for node in region.nodes):
        return []
    made = {*region.inputs, *(value for node in region.nodes for value in node.outputs)}
    return [
        node
        for node in region.nodes
        if node.op == "wrapped" and node.inputs[0] is region.inputs[0] and made.isdisjoint(node.inputs[1:])
    ]
