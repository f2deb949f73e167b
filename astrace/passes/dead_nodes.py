"""Nodes, outputs and carried values that nobody uses are left out; effects and errors never are.

A node stays if it may raise, writes an object, or has to keep its place in the order of effects.  A
floating-point warning alone does not keep a node whose result is unused.
"""

from __future__ import annotations

from dataclasses import replace

from astrace.ir.block import Block, Node
from astrace.passes.analysis.liveness import Effects, Liveness, RecordedEffects
from astrace.passes.regions import keep_outputs, tidy_captures, without_carried


def drop_dead_nodes(block: Block, keep_errors: bool = True) -> Block:
    """Leave out unused nodes, in the block and its regions.

    Args:
        block: any block.
        keep_errors: what is unused stays where it may raise; ``raise`` and writes stay in any case.
    """
    return drop_unused(block, RecordedEffects(keep_errors))


def drop_unused(block: Block, effects: Effects) -> Block:
    """Leave out what nobody uses and what has no effect, in a block and its regions.

    Args:
        block: the block.
        effects: tells what has an effect, and how its nodes of control flow are laid out.
    """
    return _swept(block, Liveness(block, effects))


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
    loop = live.effects.loop(node)
    needed = [output in live for output in node.outputs[0 if loop is None else loop.breaks :]]
    if node.op != "function" and not all(needed):
        node = keep_outputs(node, needed) if loop is None else without_carried(loop, needed)
    return tidy_captures(node) if live.effects.closed else node
