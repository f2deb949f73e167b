"""Nodes, outputs and carried values that nobody uses are left out; effects and errors never are.

A node stays if it may raise, writes an object, or has to keep its place in the order of effects.  A
floating-point warning alone does not keep a node whose result is unused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from astrace.ir.block import Block, Node
from astrace.ir.control import ForLoop, WhileLoop
from astrace.passes.analysis.liveness import Liveness
from astrace.passes.regions import keep_outputs, tidy_captures


def drop_dead_nodes(block: Block, keep_errors: bool = True) -> Block:
    """Leave out unused nodes, in the block and its regions.

    Args:
        block: any block.
        keep_errors: what is unused stays where it may raise; ``raise`` and writes stay in any case.
    """
    return _swept(block, Liveness(block, keep_errors))


def _swept(block: Block, live: Liveness) -> Block:
    kept = [_without_dead_parts(node, live) if node.regions else node for node in block.nodes if node in live]
    if len(kept) == len(block.nodes) and all(a is b for a, b in zip(kept, block.nodes, strict=True)):
        return block
    return Block(block.inputs, tuple(kept), block.outputs)


def _without_dead_parts(node: Node, live: Liveness) -> Node:
    """Return a control flow node without unused outputs and without dead nodes in its regions."""
    regions = tuple(_swept(region, live) for region in node.regions)
    if any(a is not b for a, b in zip(regions, node.regions, strict=True)):
        node = replace(node, regions=regions)
    if node.op in ("for_loop", "while_loop"):
        node = _without_dead_carried(node, live)
    elif not all(output in live for output in node.outputs):
        node = keep_outputs(node, [output in live for output in node.outputs])
    return tidy_captures(node)


def _without_dead_carried(node: Node, live: Liveness) -> Node:
    """Return a loop without the carried values that are used neither after it nor in an iteration."""
    loop = WhileLoop(node) if node.op == "while_loop" else ForLoop(node)
    needed = [output in live for output in node.outputs[loop.breaks :]]
    return node if all(needed) else _keep_carried(node, loop, needed)


def _keep_carried(node: Node, loop: WhileLoop | ForLoop, needed: Sequence[bool]) -> Node:
    first = len(node.inputs) - len(loop.captures) - loop.count
    dropped = {first + index for index, keep in enumerate(needed) if not keep}
    inputs = tuple(operand for index, operand in enumerate(node.inputs) if index not in dropped)
    flags = [True] * loop.breaks
    regions: list[Block] = []
    for region in node.regions:
        offset = len(region.inputs) - len(node.inputs)
        values = tuple(value for index, value in enumerate(region.inputs) if index - offset not in dropped)
        regions.append(Block(values, region.nodes, region.outputs))
    ends = [end for end, keep in zip(loop.body.outputs, [*flags, *needed], strict=True) if keep]
    regions[-1] = Block(regions[-1].inputs, regions[-1].nodes, tuple(ends))
    outputs = tuple(out for out, keep in zip(node.outputs, [*flags, *needed], strict=True) if keep)
    return replace(node, inputs=inputs, outputs=outputs, regions=tuple(regions))
