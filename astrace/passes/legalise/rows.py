"""Tuples in the places of lists that are rows of an array: ``rows.append([x, y])`` where ``rows`` is only made an array of.

NumPy makes the same array of a list of tuples, and a list of tuples has a lowered form.  The nodes of the block itself keep
their places.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.specs import ListSpec, TupleSpec, join
from astrace.ir.walk import nodes as all_nodes
from astrace.passes.lowering.closing import closed, opened

READERS: Final = ("np.array", "np.asarray", "len")


@dataclass(frozen=True, slots=True)
class _RowList:
    """A list whose items may be tuples.

    Args:
        list_: the list.
        rows: its items, which nothing else uses.
        spec: of each item, as a tuple.
    """

    list_: Value
    rows: tuple[Value, ...]
    spec: TupleSpec


def with_tuples(block: Block) -> Block:
    """Return a block with tuples in the places of lists of numbers that nothing but an array is made of; the same one without such.

    Args:
        block: closed.
    """
    if not any(_is_of_lists(node) for node in all_nodes(block)):
        return block
    bare = [opened(node) for node in block.nodes]
    every = list(_all(bare))
    makers = {output: node for node in every for output in node.outputs}
    outside = {*block.outputs, *(one for node in every for region in node.regions for one in region.outputs)}
    found = [
        rows
        for node in every
        if _is_of_lists(node) and not node.inputs and (rows := _rows_of(node.output, every, makers, outside))
    ]
    if not found:
        return block
    tuples: dict[Operand, Operand] = {}
    for rows in found:
        tuples[rows.list_] = Value(ListSpec(rows.spec), rows.list_.name)
        tuples.update((row, Value(rows.spec)) for row in rows.rows)
    nodes = tuple(_with_tuples(node, tuples) for node in bare)
    return closed(Block(block.inputs, nodes, block.outputs))


def _is_of_lists(node: Node) -> bool:
    """Return whether a node makes a list of lists."""
    return node.op == "make_list" and isinstance(node.attrs.get("element"), ListSpec)


def _all(nodes: Iterable[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        for region in node.regions:
            yield from _all(region.nodes)


def _rows_of(
    list_: Value, every: Sequence[Node], makers: Mapping[Value, Node], outside: set[Operand]
) -> _RowList | None:
    """Return the rows that are appended to a list, if an array may be made of tuples instead."""
    users = [node for node in every if list_ in node.inputs]
    appends = [node for node in users if node.op == "append" and node.inputs[0] is list_]
    rows = [row for node in appends if isinstance(row := node.inputs[1], Value)]
    readers = all(node.op in READERS and node.inputs == (list_,) for node in users if node not in appends)
    if not rows or len(rows) < len(appends) or not readers or not outside.isdisjoint([list_, *rows]):
        return None
    made = [makers[row] for row in rows if row in makers and makers[row].op == "make_list"]
    uses = sum(one in rows for node in every for one in node.inputs)
    if len(made) < len(rows) or uses > len(set(rows)) or len({len(node.inputs) for node in made}) > 1:
        return None
    columns = zip(*([one.spec for one in node.inputs] for node in made), strict=True)
    return _RowList(
        list_, tuple(rows), TupleSpec(tuple(functools.reduce(join, column) for column in columns))
    )


def _with_tuples(node: Node, tuples: Mapping[Operand, Operand]) -> Node:
    """Return a node with tuples for some lists, in its regions as well."""
    inputs = tuple(tuples.get(one, one) for one in node.inputs)
    outputs = tuple(one if isinstance(one := tuples.get(old, old), Value) else old for old in node.outputs)
    regions = tuple(
        replace(region, nodes=tuple(_with_tuples(one, tuples) for one in region.nodes))
        for region in node.regions
    )
    found = replace(node, inputs=inputs, outputs=outputs, regions=regions)
    if outputs == node.outputs:
        return found
    spec = outputs[0].spec
    if isinstance(spec, ListSpec):
        return replace(found, attrs={"element": spec.element})
    return replace(found, op="make_tuple", attrs={})
