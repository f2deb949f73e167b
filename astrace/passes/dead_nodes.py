"""Nodes, outputs and carried values that nobody uses are left out; effects and errors never are.

A node stays if it may raise, writes an object, or has to keep its place in the order of effects.  A
floating-point warning alone does not keep a node whose result is unused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.control import ForLoop, WhileLoop
from astrace.ops.effects import is_ordered, may_raise, written
from astrace.passes.regions import keep_outputs, tidy_captures


def drop_dead_nodes(block: Block) -> Block:
    """Leave out what nobody uses, in one backward walk over the block and its regions."""
    kept: list[Node] = []
    used = _used_by(block.outputs)
    for node in reversed(block.nodes):
        new = _without_dead_parts(node, used) if node.regions else node
        if not _is_needed(new, used):
            continue
        kept.append(new)
        used |= _used_by(new.inputs)
    kept.reverse()
    if len(kept) == len(block.nodes) and all(a is b for a, b in zip(kept, block.nodes, strict=True)):
        return block
    return Block(block.inputs, tuple(kept), block.outputs)


def _used_by(operands: Sequence[Operand]) -> set[Value]:
    return {operand for operand in operands if isinstance(operand, Value)}


def _is_needed(node: Node, used: set[Value]) -> bool:
    return any(output in used for output in node.outputs) or _has_effect(node)


def _has_effect(node: Node) -> bool:
    if not node.regions:
        return is_ordered(node) or bool(written(node)) or may_raise(node)
    if node.op == "while_loop":
        return True  # it may go on for ever
    return may_raise(node) or is_ordered(node) or any(_writes(region) for region in node.regions)


def _writes(block: Block) -> bool:
    return any(
        any(map(_writes, node.regions)) if node.regions else bool(written(node)) for node in block.nodes
    )


def _without_dead_parts(node: Node, used: set[Value]) -> Node:
    """A control flow node without the outputs nobody uses and without dead nodes in its regions."""
    if node.op in ("for_loop", "while_loop"):
        node = _without_dead_carried(node, used)
    elif not all(output in used for output in node.outputs):
        node = keep_outputs(node, [output in used for output in node.outputs])
    regions = tuple(map(drop_dead_nodes, node.regions))
    if any(a is not b for a, b in zip(regions, node.regions, strict=True)):
        node = replace(node, regions=regions)
    return tidy_captures(node)


def _without_dead_carried(node: Node, used: set[Value]) -> Node:
    """A loop without carried values that nobody uses after it, nor any turn for anything else."""
    loop = WhileLoop(node) if node.op == "while_loop" else ForLoop(node)
    given = len(loop.body.inputs) - len(loop.captures) - loop.count
    inner = loop.body.inputs[given : given + loop.count]
    needed = [output in used for output in node.outputs[loop.breaks :]]
    while True:
        ends = [end for end, keep in zip(loop.body.outputs[loop.breaks :], needed, strict=True) if keep]
        live = _live_inputs(loop, [*loop.body.outputs[: loop.breaks], *ends])
        more = [keep or value in live for keep, value in zip(needed, inner, strict=True)]
        if more == needed:
            break
        needed = more
    return node if all(needed) else _keep_carried(node, loop, needed)


def _live_inputs(loop: WhileLoop | ForLoop, outputs: Sequence[Operand]) -> set[Value]:
    """The body's inputs that some turn uses for ``outputs`` or for an effect, those of the test included."""
    body = drop_dead_nodes(Block(loop.body.inputs, loop.body.nodes, tuple(outputs)))
    live = _used_by(body.outputs).union(*(_used_by(node.inputs) for node in body.nodes))
    if isinstance(loop, WhileLoop):
        tested = _used_by(loop.test.outputs).union(*(_used_by(node.inputs) for node in loop.test.nodes))
        pairs = zip(loop.test.inputs, loop.body.inputs, strict=True)
        live |= {inner for outer, inner in pairs if outer in tested}
    return live


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
