"""Arrays of which some rows are enough: those that statements which go through rows together alone use, each row as it is reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.walk import nodes
from astrace.passes.fusion.row_statements import RowStatement
from astrace.passes.fusion.tiles import ZERO, Numbers
from astrace.passes.lowering.block import same_operand

PARTS: Final = frozenset({"load", "store", "slice_of"})
"""The ops that name a row of an array."""


def contained(statements: Sequence[RowStatement], made: Sequence[Node], uses: Counter[Operand]) -> list[Node]:
    """Return the nodes that make arrays which nothing but some statements uses, always at the row that they are at.

    Args:
        statements: those that go together.
        made: the nodes in front of them.
        uses: how often a value is used in the whole block.
    """
    inside = Counter[Operand]()
    for statement in statements:
        for node in nodes(Block((), (statement.node,))):
            inside.update(node.inputs[:1] if node.op in PARTS else ())
    known: dict[Value, bool] = {}
    for statement in statements:
        for one in statement.accesses:
            is_here = one.offset is not None and same_operand(one.offset, ZERO)
            known[one.base] = known.get(one.base, True) and is_here
    return [
        node
        for node in made
        if node.op == "allocate"
        and not node.attrs.get("comes_out")
        and known.get(node.output)
        and inside[node.output] == uses[node.output]
    ]


def in_parts(level: Sequence[Node], parts: Mapping[Value, Value], lower: Operand) -> Iterator[Node]:
    """Yield nodes that find the rows of some arrays in others, which begin at a later row.

    Args:
        level: the nodes.
        parts: the arrays that begin later, by those in whose place they are.
        lower: the row at which they begin.
    """
    for node in level:
        if node.regions:
            regions = (replace(one, nodes=tuple(in_parts(one.nodes, parts, lower))) for one in node.regions)
            yield replace(node, regions=tuple(regions))
            continue
        base = node.inputs[0] if node.inputs else None
        if node.op not in PARTS or not isinstance(base, Value) or base not in parts:
            yield node
            continue
        numbers, row = Numbers(), 2 if node.op == "store" else 1
        place = numbers.minus(node.inputs[row], lower)
        yield from numbers.nodes
        yield replace(node, inputs=(parts[base], *node.inputs[1:row], place, *node.inputs[row + 1 :]))
