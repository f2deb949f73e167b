"""Walking over blocks: all nodes, all uses, in one place and without recursion limits in mind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs


def nodes(block: Block) -> Iterator[Node]:
    """Yield all nodes of a block, those of regions included, each before the nodes of its own regions.

    Example:
        >>> from astrace.ir.specs import INT
        >>> list(nodes(Block((Value(INT),), ())))
        []
    """
    pending = [iter(block.nodes)]
    while pending:
        for node in pending[-1]:
            yield node
            if node.regions:
                pending.extend(iter(region.nodes) for region in reversed(node.regions))
                break
        else:
            pending.pop()


def blocks(block: Block) -> Iterator[Block]:
    """The block itself and all regions in it."""
    yield block
    for node in nodes(block):
        yield from node.regions


def captured(block: Block) -> dict[Operand, Operand]:
    """Map each capture in a region, at any depth, to the operand that it stands for outside all regions."""
    found: dict[Operand, Operand] = {}
    for node in nodes(block):
        for _, inner, outer in region_inputs(node):
            found.update(
                (value, found.get(operand, operand)) for value, operand in zip(inner, outer, strict=True)
            )
    return found


def constants(block: Block) -> Iterator[Constant]:
    """Yield all constants that a block uses, regions included."""
    for inner in blocks(block):
        yield from [one for node in inner.nodes for one in node.inputs if isinstance(one, Constant)]
        yield from (one for one in inner.outputs if isinstance(one, Constant))


def uses(block: Block) -> Counter[Value]:
    """Count the uses of each value by the block's own nodes and outputs (not by regions'; those use captures)."""
    operands = [operand for node in block.nodes for operand in node.inputs]
    return Counter([one for one in (*operands, *block.outputs) if isinstance(one, Value)])


def last_uses(block: Block) -> dict[Value, int]:
    """The number of the last node that uses each value; ``len(block.nodes)`` for the block's outputs."""
    last: dict[Value, int] = {}
    for index, node in enumerate(block.nodes):
        last.update((operand, index) for operand in node.inputs if isinstance(operand, Value))
    last.update((operand, len(block.nodes)) for operand in block.outputs if isinstance(operand, Value))
    return last
