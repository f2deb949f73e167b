"""Loops of few turns, whose number is known, written out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.passes.analysis.int_ranges import LARGEST
from astrace.passes.fusion.loop_front import NUMBERS
from astrace.passes.fusion.statements import COUNTING
from astrace.passes.lowering.memory import SharedMemory

MOST_TURNS: Final = 8
"""The most turns of a loop that is written out."""
FIRST: Final = 3
"""The place of the first value that a loop carries, among its inputs."""
FOLDED: Final = NUMBERS - {"dim", "is_contiguous", "is_repeated", "is_finite", "lies_in_rows"}
"""The ops that are computed now where their operands are constants."""


def turns_of(node: Node) -> range | None:
    """Return the turns of a loop that may be written out; ``None`` for any other node.

    Args:
        node: of a lowered block.
    """
    if node.op != "for_loop" or node.attrs["over"] != COUNTING or node.attrs["breaks"]:
        return None
    bounds = [one.value for one in node.inputs[:FIRST] if isinstance(one, Constant)]
    if len(bounds) != FIRST or bounds[2] == 0:
        return None
    turns = range(*bounds)
    return turns if 0 < len(turns) <= MOST_TURNS and not _has_long_loop(node) else None


def _has_long_loop(loop: Node) -> bool:
    """Return whether a loop has another one in it that will not be written out: what is around it would not count."""
    (body,) = loop.regions
    inside = [*nodes(body)]
    made = {*body.inputs, *(output for node in inside for output in node.outputs)}
    made.update(value for node in inside for region in node.regions for value in region.inputs)
    return any(
        one.op == "while_loop"
        or (
            one.op == "for_loop"
            and any(isinstance(bound, Value) and bound not in made for bound in one.inputs[:FIRST])
        )
        for one in inside
    )


@dataclass(slots=True)
class Unrolling:
    """Writes a block anew, with loops written out.

    Args:
        chosen: tells whether a loop whose turns are known is written out.
        memory: which arrays may share memory; those of further turns are added.
        own: the arrays that the program makes; the same.
        most: the nodes of the block at most; one that would have more is too long.
        names: what values are now.
    """

    chosen: Callable[[Node], bool]
    memory: SharedMemory
    own: set[Value]
    most: int
    names: dict[Value, Operand] = field(default_factory=dict[Value, Operand])
    count: int = 0
    _copying: int = 0

    @property
    def is_too_long(self) -> bool:
        """True once there are too many nodes."""
        return self.count > self.most

    def block(self, block: Block) -> Block:
        """Return a block, or a region whose inputs keep their names."""
        found = tuple(self._level(block.nodes))
        return Block(block.inputs, found, tuple(map(self._operand, block.outputs)))

    def _level(self, level: Sequence[Node]) -> Iterator[Node]:
        for node in level:
            if self.is_too_long:
                return
            turns = turns_of(node)
            if turns is not None and self.chosen(node):
                yield from self._written_out(node, turns)
            else:
                yield from self._node(node)

    def _written_out(self, loop: Node, turns: range) -> Iterator[Node]:
        """Yield the nodes of all turns of a loop."""
        (body,) = loop.regions
        index, *carried = body.inputs
        given = [self._operand(one) for one in loop.inputs[FIRST:]]
        self._copying += 1
        for turn in turns:
            self.names |= {index: Constant(turn), **dict(zip(carried, given, strict=True))}
            yield from self._level(body.nodes)
            given = [self._operand(one) for one in body.outputs]
        self._copying -= 1
        self.names.update(zip(loop.outputs, given, strict=True))

    def _node(self, node: Node) -> Iterator[Node]:
        inputs = tuple(map(self._operand, node.inputs))
        if node.op in FOLDED and all(isinstance(one, Constant) for one in inputs):
            self.names[node.output] = folded(node.op, inputs)
            return
        if node.op == "select" and isinstance(inputs[0], Constant):
            self.names[node.output] = inputs[1 if inputs[0].value else 2]
            return
        if node.op == "deopt" and isinstance(inputs[0], Constant) and not inputs[0].value:
            return
        self.count += 1
        inner = tuple(self._region(region) for region in node.regions)
        yield replace(node, inputs=inputs, regions=inner, outputs=tuple(map(self._named, node.outputs)))

    def _region(self, region: Block) -> Block:
        inputs = tuple(map(self._named, region.inputs))
        return replace(self.block(region), inputs=inputs)

    def _operand(self, operand: Operand) -> Operand:
        return self.names.get(operand, operand) if isinstance(operand, Value) else operand

    def _named(self, value: Value) -> Value:
        """Return a value's own name in this turn."""
        if not self._copying:
            return value
        made = self.names[value] = Value(value.spec, value.name)
        if isinstance(value.spec, ArraySpec):
            self.memory.join([value, made])
            self.own |= {made} & ({made} if value in self.own else set())
        return made


def folded(op: str, inputs: Sequence[Operand]) -> Constant:
    """Return what an op gives for constants; integers wrap around.

    Args:
        op: one of `FOLDED`.
        inputs: the constants.
    """
    values: list[Any] = [one.value for one in inputs if isinstance(one, Constant)]
    with np.errstate(all="ignore"):
        found = OPS[op].function(*values)
    return Constant((found + LARGEST) % (2 * LARGEST) - LARGEST if type(found) is int else found)


def touches(node: Node, arrays: set[Value]) -> bool:
    """Return whether a loop reads or writes elements of arrays, or hands them on.

    Args:
        node: the loop.
        arrays: the arrays.
    """
    return any(not arrays.isdisjoint(one.inputs) for one in nodes(Block((), (node,), ())))
