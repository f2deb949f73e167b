"""Dependence of a block's outputs and effects on some of its inputs."""

from __future__ import annotations

from collections.abc import Collection

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.specs import is_immutable
from astrace.ops.effects import is_ordered, written


def depends_on(block: Block, sources: Collection[Value]) -> bool:
    """Return whether an output or an effect of a block can depend on the given inputs.

    Example:
        >>> from astrace.ir.specs import FLOAT
        >>> x, y, z = Value(FLOAT), Value(FLOAT), Value(FLOAT)
        >>> block = Block((x, y), (Node("neg", (x,), (z,)),), (z,))
        >>> depends_on(block, [x]), depends_on(block, [y])
        (True, False)
    """
    reached: set[Operand] = {*sources}
    before = -1
    while before < len(reached):  # what is written may be read by an earlier node through another name
        before = len(reached)
        for node in block.nodes:
            if reached.isdisjoint(node.inputs):
                continue
            if _does_something(node):
                return True
            reached.update(node.outputs)
            reached.update(value for value in node.inputs if not is_immutable(value.spec))
    return not reached.isdisjoint(block.outputs)


def _does_something(node: Node) -> bool:
    if node.regions:
        return any(_does_something(inner) for region in node.regions for inner in region.nodes)
    return is_ordered(node) or bool(written(node)) or node.op == "raise_"
