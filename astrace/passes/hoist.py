"""Computations that are the same at every turn of a loop are done once, before it.

Only nodes that can neither raise nor warn are moved, since a loop may run no turn at all; their inputs must
be settled and their results private, as for common nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.control import region_inputs
from astrace.ops.effects import is_ordered, may_raise, may_warn, written
from astrace.passes.sharing import Sharing

LOOPS = ("for_loop", "while_loop")


def hoist_invariants(block: Block) -> Block:
    """Move loop-invariant nodes out of loops, innermost loops first."""
    sharing = Sharing(block)

    def step(node: Node, builder: Builder) -> None:
        node = builder.updated(node)
        if node.op in LOOPS:
            node = _hoisted(node, builder, sharing)
        builder.nodes.append(node)

    return rebuild(block, step)


def _hoisted(loop: Node, builder: Builder, sharing: Sharing) -> Node:
    *others, (body, inner, outer) = region_inputs(loop)
    outside = dict(zip(inner, outer, strict=True))
    moved: list[Node] = []
    for node in body.nodes:
        if _may_move(node, sharing) and _is_invariant(node, outside):
            inputs = tuple(outside[item] if isinstance(item, Value) else item for item in node.inputs)
            values = tuple(Value(output.spec, output.name) for output in node.outputs)
            builder.nodes.append(replace(node, inputs=inputs, outputs=values))
            outside.update(zip(node.outputs, values, strict=True))
            moved.append(node)
    if not moved:
        return loop
    results = [output for node in moved for output in node.outputs]
    return _capturing(
        loop, [region for region, _, _ in others], body, moved, results, [outside[value] for value in results]
    )


def _is_invariant(node: Node, outside: Mapping[Value, object]) -> bool:
    return all(isinstance(operand, Constant) or operand in outside for operand in node.inputs)


def _may_move(node: Node, sharing: Sharing) -> bool:
    if (
        node.regions
        or not node.outputs
        or is_ordered(node)
        or written(node)
        or may_raise(node)
        or may_warn(node)
    ):
        return False
    values = [operand for operand in node.inputs if isinstance(operand, Value)]
    return all(map(sharing.is_settled, values)) and all(map(sharing.is_private, node.outputs))


def _capturing(
    loop: Node,
    others: Sequence[Block],
    body: Block,
    moved: Sequence[Node],
    results: Sequence[Value],
    values: Sequence[object],
) -> Node:
    """The loop without the moved nodes, capturing their results instead."""
    gone = set(moved)
    nodes = tuple(node for node in body.nodes if node not in gone)
    regions = [
        Block(
            (*region.inputs, *(Value(value.spec, value.name) for value in results)),
            region.nodes,
            region.outputs,
        )
        for region in others
    ]
    regions.append(Block((*body.inputs, *results), nodes, body.outputs))
    inputs = (*loop.inputs, *values)
    return replace(loop, inputs=inputs, regions=tuple(regions))  # type: ignore[arg-type]
