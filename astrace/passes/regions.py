"""Changing the shape of control flow nodes: which captures they take, which outputs they put out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.builder import Builder
from astrace.ir.control import AnyLoop, carried_places
from astrace.ir.specs import covers

T = TypeVar("T")


def substituted(block: Block, values: dict[Value, Operand]) -> Block:
    """A block with some of its inputs replaced and taken off its inputs."""
    if not values:
        return block

    def keep(node: Node, builder: Builder) -> None:
        builder.keep(node)

    builder = Builder([value for value in block.inputs if value not in values], keep)
    builder.replace(list(values), list(values.values()))
    for node in block.nodes:
        builder.keep(node)
    return Block(builder.inputs, tuple(builder.nodes), builder.operands(block.outputs))


def tidy_captures(node: Node) -> Node:
    """A control flow node that captures each outside value once, only if it uses it, and no constants."""
    groups = list(region_inputs(node))
    if not groups:
        return node
    outer = groups[0][2]
    first = len(node.inputs) - len(outer)
    inside = [(inner, _used(region)) for region, inner, _ in groups]
    used = [any(inner[index] in values for inner, values in inside) for index in range(len(outer))]
    seen: dict[Operand, int] = {}
    specs = [value.spec for value in groups[0][1]]
    for index, operand in enumerate(outer):
        if used[index] and isinstance(operand, Value):
            first_seen = seen.setdefault(operand, index)
            if specs[index] != specs[first_seen] and covers(specs[first_seen], specs[index]):
                seen[operand] = index  # of two captures, the one of which more is known
    kept = sorted(seen.values())
    if len(kept) == len(outer):
        return node
    regions = [_with_captures(region, inner, outer, seen, kept) for region, inner, _ in groups]
    inputs = (*node.inputs[:first], *(outer[index] for index in kept))
    return replace(node, inputs=inputs, regions=tuple(regions))


def capturing(node: Node, given: Sequence[Value], taken: Sequence[Mapping[Value, int]]) -> Node:
    """A control flow node that captures more, and leaves out what computed the same.

    Args:
        node: the node.
        given: what it captures besides.
        taken: for each region, the values that are not computed in it any more, each with its place in ``given``.
    """
    regions = [_taking(region, given, places) for region, places in zip(node.regions, taken, strict=True)]
    return tidy_captures(replace(node, inputs=(*node.inputs, *given), regions=tuple(regions)))


def _taking(region: Block, given: Sequence[Value], places: Mapping[Value, int]) -> Block:
    values = [Value(one.spec, one.name) for one in given]
    for value, place in places.items():
        values[place] = value
    nodes = tuple(one for one in region.nodes if places.keys().isdisjoint(one.outputs))
    return Block((*region.inputs, *values), nodes, region.outputs)


def _used(region: Block) -> set[Operand]:
    return {*region.outputs, *(operand for node in region.nodes for operand in node.inputs)}


def _with_captures(
    region: Block,
    inner: Sequence[Value],
    outer: Sequence[Operand],
    seen: dict[Operand, int],
    kept: Sequence[int],
) -> Block:
    replaced: dict[Value, Operand] = {}
    unused: set[Value] = set()
    for index, (value, operand) in enumerate(zip(inner, outer, strict=True)):
        if isinstance(operand, Constant):
            replaced[value] = operand
        elif index not in kept and operand in seen:
            replaced[value] = inner[seen[operand]]
        elif index not in kept:
            unused.add(value)
    return _without(substituted(region, replaced), unused)


def _without(region: Block, unused: set[Value]) -> Block:
    return Block(tuple(value for value in region.inputs if value not in unused), region.nodes, region.outputs)


def without_carried(loop: AnyLoop, keep: Sequence[bool]) -> Node:
    """A loop that carries less.

    Args:
        loop: the loop.
        keep: for each output behind the flag of a loop that may be left, whether it stays.
    """
    node, count = loop.node, len(loop.carried)
    first = len(node.inputs) - len(loop.captures) - count
    dropped = {first + index for index, kept in enumerate(keep[:count]) if not kept}
    flags = [*([True] * loop.breaks), *keep]
    regions: list[Block] = []
    for region in node.regions:
        offset = len(region.inputs) - len(node.inputs)
        values = tuple(value for index, value in enumerate(region.inputs) if index - offset not in dropped)
        ends = _picked(region.outputs, flags) if region is loop.body else region.outputs
        regions.append(Block(values, region.nodes, ends))
    inputs = tuple(operand for index, operand in enumerate(node.inputs) if index not in dropped)
    return replace(node, inputs=inputs, outputs=_picked(node.outputs, flags), regions=tuple(regions))


def without_invariants(loop: AnyLoop, along: Sequence[bool], builder: Builder) -> Node:
    """A loop without values that it carries along unchanged: regions that see the values around them use those before it.

    Args:
        loop: the loop.
        along: for each carried value, whether each iteration hands it on as it is.
        builder: the block being made; what is carried along is replaced behind the loop, too.
    """
    values: dict[Value, Operand] = {}
    for places, first, output, same in zip(
        carried_places(loop), loop.carried, loop.node.outputs, along, strict=False
    ):
        if same:
            builder.replace([output], [first])
            values.update((value, first) for value in places)
    rows = len(loop.node.outputs) - len(along)
    node = without_carried(loop, [*(not same for same in along), *([True] * rows)])
    return replace(node, regions=tuple(substituted(region, values) for region in node.regions))


def keep_outputs(node: Node, keep: Sequence[bool]) -> Node:
    """A branching node with only some of its outputs."""
    regions = tuple(
        Block(region.inputs, region.nodes, _picked(region.outputs, keep)) for region in node.regions
    )
    return replace(node, outputs=_picked(node.outputs, keep), regions=regions)


def _picked(items: Sequence[T], keep: Sequence[bool]) -> tuple[T, ...]:
    return tuple(item for item, kept in zip(items, keep, strict=True) if kept)
