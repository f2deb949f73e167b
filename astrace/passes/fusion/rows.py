"""Statements that go through arrays together, some rows at a time, so that what one has written is in the cache for the next.

A statement that reads rows behind the one that it is at (``a[1:] - a[:-1]``) runs as many rows behind the others: its *lag*, which
is computed when the program runs.  Each row is touched in the same order as before.  Of arrays that these statements alone use, the rows between
the first statement's and the last one's are enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.specs import GenericSpec
from astrace.ir.walk import blocks, nodes
from astrace.passes.fusion.lags import ends, lags, span
from astrace.passes.fusion.lines import Lines, LineStatement, for_lines, line_groups, lines_of
from astrace.passes.fusion.row_memory import Ring, contained, in_parts, in_rings, ring_of, taken_whole
from astrace.passes.fusion.row_statements import RowAccess, RowReader, RowStatement, for_rows
from astrace.passes.fusion.statements import COUNTING, is_of_numbers
from astrace.passes.fusion.tiles import ONE, ZERO, MadeTiles, Numbers
from astrace.passes.lowering.block import same_operand
from astrace.passes.lowering.forms import INT
from astrace.passes.lowering.memory import SharedMemory

MIXED: Final = frozenset({"reduce_ufunc", "deopt"})
"""The ops of which statements that go together have one alone: code that gives up among calls takes very long to compile."""
ELEMENTS: Final = 4096
"""The elements of an array that statements take in one turn, if its rows are no longer; 32 KiB of floats."""


def with_rows_together(
    block: Block,
    memory: SharedMemory,
    own: AbstractSet[Value],
    apart: set[tuple[Value, Value]],
    tiles: MadeTiles,
) -> Block:
    """Return a block whose statements go through the rows of arrays together.

    Args:
        block: a lowered block, whose regions may use the values around them.
        memory: which arrays may share memory.
        own: the arrays that the program makes.
        apart: pairs of arrays that may not share memory; further ones are added.
        tiles: the loops over tiles that were made.
    """
    uses = Counter[Operand]()
    sizes: dict[Value, tuple[Operand, ...]] = {}
    for node in nodes(block):
        uses.update(node.inputs)
        if node.op == "allocate":
            sizes[node.output] = node.inputs
    for one in blocks(block):
        uses.update(one.outputs)
    return _Rows(memory, own, apart, RowReader(sizes, uses, tiles)).block(block)


@dataclass(slots=True)
class _RowGroup:
    """Statements that go together.

    Args:
        statements: those so far.
        before: the nodes between them, which may as well stand in front.
        order: all of these, as they stood.
        read: the arrays that nodes read which stood behind statements.
        ops: those of the statements.
    """

    statements: list[RowStatement] = field(default_factory=list[RowStatement])
    before: list[Node] = field(default_factory=list[Node])
    order: list[Node] = field(default_factory=list[Node])
    read: set[Value] = field(default_factory=set[Value])
    ops: set[str] = field(default_factory=set[str])

    @property
    def touched(self) -> set[Value]:
        """The arrays that statements touch."""
        return set[Value]().union(*(one.touched for one in self.statements))

    @property
    def written(self) -> set[Value]:
        """The arrays that statements write."""
        return set[Value]().union(*(one.written for one in self.statements))

    def pays(self, alone: Sequence[Node], groups: Sequence[Sequence[LineStatement]]) -> bool:
        """Return whether to go through rows together is less work on memory.

        It is where one of the statements is a loop around others, each turn of which goes through all rows, where not all rows of an
        array need be kept, and where statements go by lines.

        Args:
            alone: the nodes that make arrays of which some rows are enough.
            groups: the statements that go by lines.
        """
        inner = max((one.inner for one in self.statements), key=len, default=())
        return (
            bool(groups)
            or any(one.is_level for one in self.statements)
            or any(
                len(node.inputs) == len(inner) + 1 and all(map(same_operand, node.inputs[1:], inner))
                for node in alone
            )
        )


@dataclass(slots=True)
class _Rows:
    """The pass on one block.

    Args:
        memory: as for `with_rows_together`.
        own: the same.
        apart: the same.
        reader: finds statements.
    """

    memory: SharedMemory
    own: AbstractSet[Value]
    apart: set[tuple[Value, Value]]
    reader: RowReader

    def block(self, block: Block) -> Block:
        """Return a block or a region with its statements together."""
        return replace(block, nodes=tuple(self._level(block.nodes)))

    def _level(self, level_nodes: Sequence[Node]) -> Iterator[Node]:
        group = _RowGroup()
        for node in level_nodes:
            statement = self.reader.statement(node)
            if statement is not None:
                if not self._admits(group, statement):
                    yield from self._closed(group)
                    group = _RowGroup()
                group.statements.append(statement)
                group.ops |= _ops_of(node)
            elif self._may_stand_before(group, node):
                group.before.append(node)
            else:
                yield from self._closed(group)
                group = _RowGroup()
                yield self._inside(node)
                continue
            group.order.append(node)
        yield from self._closed(group)

    def _inside(self, node: Node) -> Node:
        return replace(node, regions=tuple(map(self.block, node.regions))) if node.regions else node

    def _admits(self, group: _RowGroup, statement: RowStatement) -> bool:
        """Return whether a statement may join: of what others write it knows the rows that it touches, and they of what it writes."""
        touched, written = group.touched | statement.touched, group.written | statement.written
        if any(self.memory.members(base) & touched != {base} for base in written):
            return False
        if group.statements and group.ops | _ops_of(statement.node) >= MIXED:
            return False
        return all(
            one.offset is not None
            for one in (
                *statement.accesses,
                *(access for other in group.statements for access in other.accesses),
            )
            if one.base in written and one.base in group.touched and one.base in statement.touched
        )

    def _may_stand_before(self, group: _RowGroup, node: Node) -> bool:
        """Return whether a node does the same in front of the group."""
        if node.regions:
            return False
        if node.op in ("allocate", "dim") or is_of_numbers(node):
            return True
        base = node.inputs[0] if node.inputs else None
        if node.op == "load" and isinstance(base, Value):
            fits = self.memory.members(base).isdisjoint(group.written)
            group.read |= {base} if fits and group.statements else set()
            return fits
        if node.op != "store" or not isinstance(base, Value) or base not in self.own:
            return False
        return self.memory.members(base).isdisjoint(group.touched)

    def _closed(self, group: _RowGroup) -> Iterator[Node]:
        """Yield the nodes of a group."""
        alone = contained(group.statements, group.before, self.reader.uses)
        alone = [node for node in alone if self.memory.members(node.output) == {node.output}]
        groups = line_groups(group.statements)
        if not group.pays(alone, groups):
            yield from map(self._inside, group.order)
            return
        outside = group.written - self.own
        self.apart.update(
            (base, other)
            for base in outside
            for other in (group.touched | group.read) - self.own
            if base is not other
        )
        yield from (node for node in group.before if node not in alone)
        yield from _together(group.statements, alone, groups, self.reader)


def _together(
    statements: Sequence[RowStatement],
    alone: Sequence[Node],
    groups: Sequence[Sequence[LineStatement]],
    reader: RowReader,
) -> list[Node]:
    """Return the loop over all rows, and what stands in front of it."""
    numbers = Numbers()
    behind = lags([one.accesses for one in statements], numbers)
    lagging = dict(zip(statements, behind, strict=True))
    lines = {group[0].rows: lines_of(group, lagging, numbers) for group in groups}
    by_lines = set[RowStatement]().union(*(one.statements for one in lines.values()))
    inner = max((one.inner for one in statements), key=len)
    rows = ONE if by_lines == {*statements} else numbers.rows(ELEMENTS, inner)
    each = [(pair, lag) for one, lag in lagging.items() for pair in dict.fromkeys(one.bounds)]
    first, last = ends([pair for pair, _ in each], [lag for _, lag in each], numbers)
    found = _RowMemory(statements, behind, rows, [*lines.values()])
    found.allocate(alone, numbers)
    place, turn = Value(GenericSpec(INT), "start"), Numbers()
    end = turn.add("add", place, rows, name="end")
    for one, lag in lagging.items():
        if one in lines:
            some = [for_lines(lines[one], (place, end), found.parts, reader)]
        elif one not in by_lines:
            lower, upper = turn.minus(place, lag), turn.minus(end, lag)
            some = list(in_parts(for_rows(one, lower, upper, reader), found.parts, lower))
        else:
            continue
        turn.nodes += in_rings(some, found.rings)
    attrs = {"over": COUNTING, "breaks": False}
    region = Block((place,), tuple(turn.nodes))
    location = statements[0].node.location
    return [*numbers.nodes, Node("for_loop", (first, last, rows), (), attrs, (region,), location)]


def _ops_of(node: Node) -> set[str]:
    return {one.op for one in nodes(Block((), (node,)))}


@dataclass(slots=True)
class _RowMemory:
    """The memory of arrays of which some rows are enough.

    Args:
        statements: those that go together.
        behind: by how many rows each is behind.
        rows: those of a turn.
        lines: the statements among them that go by lines.
        parts: the arrays that have memory for the rows of a turn, by those in whose place they are.
        rings: the arrays whose rows take turns.
    """

    statements: Sequence[RowStatement]
    behind: Sequence[Operand]
    rows: Operand
    lines: Sequence[Lines]
    parts: dict[Value, Value] = field(default_factory=dict[Value, Value])
    rings: dict[Value, Ring] = field(default_factory=dict[Value, Ring])

    def allocate(self, alone: Sequence[Node], numbers: Numbers) -> None:
        """Write what makes the memory.

        Args:
            alone: the nodes that make the arrays.
            numbers: what is written.
        """
        whole = taken_whole(self.statements, alone)
        for node in alone:
            numbers.nodes.append(self._made(node, node.output in whole, numbers))

    def _made(self, node: Node, is_whole: bool, numbers: Numbers) -> Node:
        accesses = [one.accesses for one in self.statements]
        array, (size, *others) = node.output, node.inputs
        part = Value(array.spec, array.name)
        if _is_at_one_row(array, accesses, self.behind):
            lines = self._lines_of(array)
            if lines is not None:
                lines.parts[array] = part
                return replace(node, inputs=(ONE, lines.count, *others[1:]), outputs=(part,))
            self.parts[array] = part
            return replace(node, inputs=(self.rows, *others), outputs=(part,))
        between = None if is_whole else span(array, accesses, self.behind, numbers)
        if between is None:
            return node
        size, mask = ring_of(size, numbers.plus(between, self.rows), numbers)
        self.rings[array] = Ring(part, mask)
        return replace(node, inputs=(size, *others), outputs=(part,))

    def _lines_of(self, array: Value) -> Lines | None:
        """Return the statements that alone touch an array, each of them at the line that it is at."""
        users = {one for one in self.statements if array in one.touched}
        return next(
            (one for one in self.lines if users <= one.statements and one.is_at_one_line(array)), None
        )


def _is_at_one_row(array: Value, accesses: Sequence[Sequence[RowAccess]], behind: Sequence[Operand]) -> bool:
    """Return whether all statements touch the row of an array that they are at, and none of them is behind another."""
    found = [
        (one.offset, lag)
        for ones, lag in zip(accesses, behind, strict=True)
        for one in ones
        if one.base is array
    ]
    (_, first), *_ = found
    return all(
        same_operand(lag, first) and offset is not None and same_operand(offset, ZERO)
        for offset, lag in found
    )
