"""Making blocks out of blocks: the one loop that every pass shares.

`rebuild` walks a block in order and calls a *step* for each node; the step keeps the node, leaves it
out, replaces it by operands, or appends others.  Values keep their identity where nothing changed, so
an untouched block comes back as the same object.  A value that is replaced is replaced in regions, too: those of
programs for XLA see the values around them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from astrace.ir.block import Block, Node, Operand, Value

Step: TypeAlias = "Callable[[Node, Builder], None]"


class Builder:
    """A block in the making.

    Args:
        inputs: the inputs of the block.
        step: what to do with each node, of regions too.
        parent: the builder of the block around a region.
    """

    def __init__(self, inputs: Sequence[Value], step: Step, parent: Builder | None = None) -> None:
        self.inputs: tuple[Value, ...] = tuple(inputs)
        self.nodes: list[Node] = []
        self.parent = parent
        self.step = step
        self._replaced: dict[Value, Operand] = {} if parent is None else parent._replaced

    def operand(self, operand: Operand) -> Operand:
        """Return the operand that stands for ``operand`` now."""
        while isinstance(operand, Value) and operand in self._replaced:
            operand = self._replaced[operand]
        return operand

    def operands(self, operands: Sequence[Operand]) -> tuple[Operand, ...]:
        """Return the operands that stand for ``operands`` now."""
        return tuple(map(self.operand, operands))

    def replace(self, outputs: Sequence[Value], operands: Sequence[Operand]) -> None:
        """Make ``operands`` stand for the ``outputs`` of a node that is left out."""
        for value, operand in zip(outputs, operands, strict=True):
            if value is not operand:
                self._replaced[value] = operand

    def updated(self, node: Node) -> Node:
        """The node with its inputs and regions brought up to date; the same object if none changed."""
        if not (self._replaced or node.regions):
            return node
        inputs = self.operands(node.inputs)
        regions = tuple(rebuild(region, self.step, self) for region in node.regions)
        if _identical(inputs, node.inputs) and _identical(regions, node.regions):
            return node
        return replace(node, inputs=inputs, regions=regions)

    def keep(self, node: Node) -> None:
        """Append the node, brought up to date."""
        self.nodes.append(self.updated(node))

    def splice(self, block: Block, given: Sequence[Operand]) -> tuple[Operand, ...]:
        """Append a region's nodes in place, with ``given`` for its inputs; returns its outputs."""
        self.replace(block.inputs, given)
        for node in block.nodes:
            self.step(node, self)
        return self.operands(block.outputs)


def rebuild(block: Block, step: Step, parent: Builder | None = None) -> Block:
    """Pass every node of a block through ``step``.

    Args:
        block: the block to rebuild; it is not changed.
        step: called with each node and the builder; must ``keep``, ``replace`` or drop it.
        parent: the builder of the block around, for a region.

    Returns:
        A new block, or the same one if nothing changed.
    """
    builder = Builder(block.inputs, step, parent)
    for node in block.nodes:
        step(node, builder)
    outputs = builder.operands(block.outputs)
    if _identical(builder.nodes, block.nodes) and _identical(outputs, block.outputs):
        return block
    return Block(builder.inputs, tuple(builder.nodes), outputs)


def _identical(left: Sequence[object], right: Sequence[object]) -> bool:
    return len(left) == len(right) and all(map(operator.is_, left, right))
