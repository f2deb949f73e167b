"""Computations that are the same at every iteration of a loop are done once, before it.

Only nodes that can neither raise nor warn are moved, since a loop may run no iteration at all; their inputs must
be settled and their results private, and no numbers that are told apart, as for common nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.builder import Builder, rebuild
from astrace.ir.walk import nodes
from astrace.ops.effects import is_ordered, may_raise, may_warn, written
from astrace.passes.analysis.aliasing import Sharing
from astrace.passes.analysis.object_identity import ComparedObjects
from astrace.passes.regions import capturing

LOOPS = ("for_loop", "while_loop")


def hoist_invariants(block: Block) -> Block:
    """Move loop-invariant nodes out of loops, innermost loops first."""
    if not any(node.op in LOOPS for node in nodes(block)):
        return block
    sharing = Sharing(block)
    told = ComparedObjects(block, sharing)

    def step(node: Node, builder: Builder) -> None:
        node = builder.updated(node)
        if node.op in LOOPS:
            node = _hoisted(node, builder, sharing, told)
        builder.nodes.append(node)

    return rebuild(block, step)


def _hoisted(loop: Node, builder: Builder, sharing: Sharing, told: ComparedObjects) -> Node:
    *others, (body, inner, outer) = region_inputs(loop)
    outside: dict[Value, Operand] = dict(zip(inner, outer, strict=True))
    moved: dict[Value, Value] = {}
    for node in body.nodes:
        if _may_move(node, sharing, told) and _is_invariant(node, outside):
            inputs = tuple(outside[item] if isinstance(item, Value) else item for item in node.inputs)
            values = tuple(Value(output.spec, output.name) for output in node.outputs)
            builder.nodes.append(replace(node, inputs=inputs, outputs=values))
            outside.update(zip(node.outputs, values, strict=True))
            moved.update(zip(node.outputs, values, strict=True))
    if not moved:
        return loop
    places = {result: place for place, result in enumerate(moved)}
    return capturing(loop, list(moved.values()), [*({} for _ in others), places])


def _is_invariant(node: Node, outside: Mapping[Value, object]) -> bool:
    return all(isinstance(operand, Constant) or operand in outside for operand in node.inputs)


def _may_move(node: Node, sharing: Sharing, told: ComparedObjects) -> bool:
    if (
        node.regions
        or not node.outputs
        or is_ordered(node)
        or written(node)
        or may_raise(node)
        or may_warn(node)
        or told.any_of(node.outputs)
    ):
        return False
    values = [operand for operand in node.inputs if isinstance(operand, Value)]
    return all(map(sharing.is_settled, values)) and all(map(sharing.is_private, node.outputs))
