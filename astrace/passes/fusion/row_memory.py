"""Arrays of which some rows are enough: those that statements which go through rows together alone use.

Of an array of which all statements touch the row that they are at, and none is behind another, there are the rows of one turn.  Of others the rows between
the first statement's and the last one's are needed, too: they take turns in memory, each of them at the index that the last bits of its own say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.walk import nodes
from astrace.passes.fusion.row_statements import RowStatement
from astrace.passes.fusion.tiles import ONE, ZERO, Numbers
from astrace.passes.lowering.block import same_operand
from astrace.passes.lowering.forms import BOOL

PARTS: Final = frozenset({"load", "store", "slice_of"})
"""The ops that name a row of an array."""
ALL: Final = Constant(2**63 - 1)
"""The mask of an index that stays as it is."""


@dataclass(frozen=True, slots=True)
class Ring:
    """An array whose rows take turns in memory that has room for some of them.

    Args:
        array: the memory.
        mask: the bits of a row's index that say where it lies.
    """

    array: Value
    mask: Operand


def contained(statements: Sequence[RowStatement], made: Sequence[Node], uses: Counter[Operand]) -> list[Node]:
    """Return the nodes that make arrays which nothing but some statements uses, at rows whose distance from their own is known.

    Where rows may not take turns, it is always the row that they are at.

    Args:
        statements: those that go together.
        made: the nodes in front of them.
        uses: how often a value is used in the whole block.
    """
    inside, whole = Counter[Operand](), taken_whole(statements, made)
    for statement in statements:
        for node in nodes(Block((), (statement.node,))):
            inside.update(node.inputs[:1] if node.op in PARTS else ())
    known: dict[Value, bool] = {}
    for one in (access for statement in statements for access in statement.accesses):
        is_known = one.offset is not None and (one.base not in whole or same_operand(one.offset, ZERO))
        known[one.base] = known.get(one.base, True) and is_known
    return [
        node
        for node in made
        if node.op == "allocate"
        and not node.attrs.get("comes_out")
        and known.get(node.output)
        and inside[node.output] == uses[node.output]
    ]


def taken_whole(statements: Sequence[RowStatement], made: Sequence[Node]) -> set[Operand]:
    """Return the arrays whose rows may not take turns.

    Those of one axis, each item of which would have to be found by a mask, and those of which statements take several rows in one piece.

    Args:
        statements: those that go together.
        made: the nodes in front of them.
    """
    found: set[Operand] = {node.output for node in made if node.op == "allocate" and len(node.inputs) < 2}
    for statement in statements:
        inside = nodes(Block((), (statement.node,)))
        found.update(node.inputs[0] for node in inside if node.op == "slice_of")
    return found


def ring_of(size: Operand, needed: Operand, numbers: Numbers) -> tuple[Operand, Operand]:
    """Write how many rows take turns, and the mask of their indices.

    Args:
        size: of the whole array along an axis.
        needed: the rows that are needed at one time.
        numbers: what is written.
    """
    rows = numbers.add("ring", needed, size, name="ring")
    mask = numbers.add("select", numbers.add("lt", rows, size, dtype=BOOL), numbers.minus(rows, ONE), ALL)
    return rows, mask


def in_rings(level: Sequence[Node], rings: Mapping[Value, Ring]) -> Iterator[Node]:
    """Yield nodes that find the rows of some arrays where they take turns.

    Args:
        level: the nodes.
        rings: the memory, by the arrays in whose place it is.
    """

    def place(array: Value, row: Operand, numbers: Numbers) -> Operand:
        mask = rings[array].mask
        return row if same_operand(mask, ALL) else numbers.add("and_", row, mask)

    return _in_other_memory(level, {array: ring.array for array, ring in rings.items()}, place)


def in_parts(
    level: Sequence[Node], parts: Mapping[Value, Value], lower: Operand, axis: int = 0
) -> Iterator[Node]:
    """Yield nodes that find the rows of some arrays in others, which begin at a later row.

    Args:
        level: the nodes.
        parts: the arrays that begin later, by those in whose place they are.
        lower: the row at which they begin.
        axis: the axis along which they do: lines, at the second one, in the place of rows.
    """
    return _in_other_memory(level, parts, lambda _, row, numbers: numbers.minus(row, lower), axis)


def _in_other_memory(
    level: Sequence[Node],
    memory: Mapping[Value, Value],
    place: Callable[[Value, Operand, Numbers], Operand],
    axis: int = 0,
) -> Iterator[Node]:
    """Yield nodes that find the rows of some arrays in other memory.

    Args:
        level: the nodes.
        memory: by the arrays in whose place it is.
        place: writes where a row of an array lies in it.
        axis: the axis of rows.
    """
    for node in level:
        if node.regions:
            regions = [
                replace(one, nodes=tuple(_in_other_memory(one.nodes, memory, place, axis)))
                for one in node.regions
            ]
            yield replace(node, regions=tuple(regions))
            continue
        base = node.inputs[0] if node.inputs else None
        if node.op not in PARTS or not isinstance(base, Value) or base not in memory:
            yield node
            continue
        numbers, row = Numbers(), axis + (2 if node.op == "store" else 1)
        found = place(base, node.inputs[row], numbers)
        yield from numbers.nodes
        yield replace(node, inputs=(memory[base], *node.inputs[1:row], found, *node.inputs[row + 1 :]))
