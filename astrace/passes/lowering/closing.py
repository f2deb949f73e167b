"""Closing a block: what regions use from around becomes captures, as the rules of blocks ask; and opening it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from astrace.ir.block import Block, Node, Operand, Value, region_inputs
from astrace.passes.lowering.drawing.draws import generators_of

NO_NAMES: Final[Mapping[Operand, Operand]] = {}


def closed(block: Block) -> Block:
    """A block whose regions use nothing but their own inputs.

    Args:
        block: its regions may use values of the blocks around them.
    """
    return Block(block.inputs, tuple(_closed(node) for node in block.nodes), block.outputs)


def _closed(node: Node) -> Node:
    if not node.regions:
        return node
    regions = [closed(region) for region in node.regions]
    free = list(dict.fromkeys(value for region in regions for value in free_values(region)))
    return replace(
        node,
        inputs=(*node.inputs, *free),
        regions=tuple(_capturing(region, free) for region in regions),
    )


def opened(node: Node, names: Mapping[Operand, Operand] = NO_NAMES) -> Node:
    """A node whose regions use the values around them by the names that these have there, and capture nothing.

    Args:
        node: closed.
        names: what the operands are called that it uses.
    """
    inputs = tuple(names.get(one, one) for one in node.inputs)
    if not node.regions:
        return replace(node, inputs=inputs)
    regions: list[Block] = []
    count = 0
    for region, inner, captures in region_inputs(node):
        count = len(inner)
        outer = {**names, **{value: names.get(one, one) for value, one in zip(inner, captures, strict=True)}}
        nodes = tuple(opened(one, outer) for one in region.nodes)
        outputs = tuple(outer.get(one, one) for one in region.outputs)
        regions.append(Block(region.inputs[: len(region.inputs) - count], nodes, outputs))
    return replace(node, inputs=inputs[: len(inputs) - count], regions=tuple(regions))


def defined_in(nodes: Iterable[Node]) -> Iterator[Value]:
    """Yield the values that nodes define, at any depth.

    Args:
        nodes: any nodes.
    """
    for node in nodes:
        yield from node.outputs
        for region in node.regions:
            yield from region.inputs
            yield from defined_in(region.nodes)


def used_in(nodes: Iterable[Node]) -> Iterator[Value]:
    """Yield the values that nodes use, at any depth; one more than once.

    Args:
        nodes: any nodes.
    """
    for node in nodes:
        yield from (one for one in node.inputs if isinstance(one, Value))
        for region in node.regions:
            yield from used_in(region.nodes)
            yield from (one for one in region.outputs if isinstance(one, Value))


def free_values(block: Block) -> list[Value]:
    """The values that a block uses and does not define, in the order in which they are used."""
    defined = set(block.inputs)
    found: dict[Value, None] = {}
    for node in block.nodes:
        found.update((one, None) for one in node.inputs if isinstance(one, Value) and one not in defined)
        defined.update(node.outputs)
    found.update((one, None) for one in block.outputs if isinstance(one, Value) and one not in defined)
    return list(found)


def _capturing(region: Block, free: list[Value]) -> Block:
    """A region with an input for each value that it uses from around."""
    inner = {value: Value(value.spec, value.name) for value in free}

    def named(operand: Operand) -> Operand:
        return inner.get(operand, operand) if isinstance(operand, Value) else operand

    nodes = tuple(replace(node, inputs=tuple(map(named, node.inputs))) for node in region.nodes)
    return Block((*region.inputs, *inner.values()), nodes, tuple(map(named, region.outputs)))


def collect_written(block: Block, outer: Mapping[Value, Value], found: set[Value]) -> None:
    """Collect what nodes store into or draw from, by the names that they have in the outermost block that knows them.

    Args:
        block: closed.
        outer: those names.
        found: takes them.
    """
    for node in block.nodes:
        changed = node.inputs[:1] if node.op == "store" else generators_of(node)
        found.update(outer.get(one, one) for one in changed if isinstance(one, Value))
        for region, inner, captures in region_inputs(node):
            named = {value: value for value in region.inputs} | {
                value: outer.get(operand, operand)
                for value, operand in zip(inner, captures, strict=True)
                if isinstance(operand, Value)
            }
            collect_written(region, named, found)
