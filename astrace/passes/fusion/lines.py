"""Statements that go through the lines of rows together, so that what one has written is in the nearest cache for the next.

A *line* is what an array has at one index of its first axis and one of its second.  Statements over three axes that go through rows
together take in each row some lines after the other.  One that reads lines behind the one that it is at runs as many lines behind the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.specs import GenericSpec
from astrace.passes.fusion.lags import ends, lags
from astrace.passes.fusion.row_memory import in_parts
from astrace.passes.fusion.row_statements import (
    Accessing,
    RowAccess,
    RowReader,
    RowStatement,
    accesses_of,
    for_rows,
)
from astrace.passes.fusion.statements import COUNTING
from astrace.passes.fusion.tiles import ONE, ZERO, Numbers
from astrace.passes.lowering.block import same_operand
from astrace.passes.lowering.forms import INT

ELEMENTS: Final = 96
"""The elements of an array that statements take in one turn, if its lines are no longer.

More of them would stay in the first cache, too, but the processor waits for each statement's first elements: it takes up the
next statement while it waits only if that is near."""
LEAST: Final = 3
"""The number of statements over three axes that go by lines, at least: two of them take as long as by rows, or longer."""
SHORT: Final = "short"
"""An attribute of loops that take no longer than a turn of the loop around them, which looks for signals."""


@dataclass(frozen=True, slots=True, eq=False)
class LineStatement(Accessing):
    """A statement.

    Args:
        rows: the loop over rows that it is.
        lines: the loop over lines in that.
        accesses: to what others may touch as well; the offsets are those of lines.
    """

    rows: RowStatement
    lines: Node
    accesses: tuple[RowAccess, ...]

    @property
    def bounds(self) -> tuple[Operand, Operand]:
        """The first line, and the one behind the last."""
        start, stop, *_ = self.lines.inputs
        return start, stop


def line_statement(rows: RowStatement) -> LineStatement | None:
    """Return the statement that a loop over rows is; ``None`` if it is none.

    Args:
        rows: any statement.
    """
    node = rows.node
    if rows.call is not None or rows.is_level or not rows.inner or not same_operand(node.inputs[2], ONE):
        return None
    (region,) = node.regions
    (lines,) = region.nodes
    found = accesses_of(region, lines.regions[0].inputs[0], axis=1)
    if found is None:
        return None
    return LineStatement(rows, lines, tuple(one for one in found if one.base in rows.touched))


def line_groups(statements: Sequence[RowStatement]) -> list[list[LineStatement]]:
    """Return the statements that go by lines together, where there are several over three axes, and one touches what another one writes.

    Args:
        statements: of a group that goes by rows.
    """
    found: list[list[LineStatement]] = [[]]
    for one in statements:
        line = line_statement(one)
        if line is None or not _admits(found[-1], line):
            found.append([])
        if line is not None:
            found[-1].append(line)
    return [group for group in found if _pays(group)]


def _admits(group: Sequence[LineStatement], line: LineStatement) -> bool:
    """Return whether a statement may join: of what one of them writes and another touches all lines are known."""
    before = set[Value]().union(*(one.touched for one in group))
    written = line.written.union(*(one.written for one in group))
    shared = before & line.touched & written
    accesses = [*line.accesses, *(one for other in group for one in other.accesses)]
    return all(one.offset is not None for one in accesses if one.base in shared)


def _pays(group: Sequence[LineStatement]) -> bool:
    whole = [one for one in group if len(one.rows.inner) > 1]
    return len(whole) >= LEAST and any(
        one is not other and not one.written.isdisjoint(other.touched) for one in whole for other in whole
    )


@dataclass(frozen=True, slots=True)
class Lines:
    """How statements go by lines; the numbers are computed in front of all rows.

    Args:
        group: the statements.
        rows: by how many rows each is behind.
        behind: by how many lines.
        first: the first line.
        last: the one behind the last.
        count: the lines of a turn.
        parts: the arrays that have memory for the lines of a turn, by those in whose place they are.
    """

    group: Sequence[LineStatement]
    rows: Sequence[Operand]
    behind: Sequence[Operand]
    first: Operand
    last: Operand
    count: Operand
    parts: dict[Value, Value] = field(default_factory=dict[Value, Value])

    @property
    def statements(self) -> set[RowStatement]:
        """The statements, as they go by rows."""
        return {one.rows for one in self.group}

    def is_at_one_line(self, array: Value) -> bool:
        """Return whether all statements that touch an array touch the line that they are at, and none of them is behind another.

        Args:
            array: one that these statements alone use, each of them at the row that it is at.
        """
        found = [
            (one.offset, lag)
            for line, lag in zip(self.group, self.behind, strict=True)
            for one in line.accesses
            if one.base is array
        ]
        return bool(found) and all(
            offset is not None and same_operand(offset, ZERO) and same_operand(lag, found[0][1])
            for offset, lag in found
        )


def lines_of(group: Sequence[LineStatement], rows: Mapping[RowStatement, Operand], numbers: Numbers) -> Lines:
    """Write how statements go by lines.

    Args:
        group: the statements.
        rows: by how many rows each is behind.
        numbers: what is written.
    """
    behind = lags([one.accesses for one in group], numbers)
    first, last = ends([one.bounds for one in group], behind, numbers)
    inner = max((one.rows.inner[1:] for one in group), key=len)
    lagging = [rows[one.rows] for one in group]
    return Lines(group, lagging, behind, first, last, numbers.rows(ELEMENTS, inner))


def for_lines(
    lines: Lines, bounds: tuple[Operand, Operand], parts: Mapping[Value, Value], reader: RowReader
) -> Node:
    """Return the loop over some rows, in each of which statements go by lines.

    Args:
        lines: the statements.
        bounds: the first row, and the one behind the last.
        parts: the arrays that have memory for these rows, by those in whose place they are.
        reader: has found the statements.
    """
    row, line = Value(GenericSpec(INT), "turn"), Value(GenericSpec(INT), "line")
    around, inner = Numbers(), Numbers()
    after = inner.add("add", line, lines.count, name="after")
    for one, rows, lag in zip(lines.group, lines.rows, lines.behind, strict=True):
        lower, start = around.minus(row, rows), inner.minus(line, lag)
        some = _some_lines(one, start, inner.minus(after, lag))
        found = for_rows(some, lower, around.plus(lower, ONE), reader)
        found = list(in_parts(found, parts, around.minus(bounds[0], rows))) if parts else found
        found = list(in_parts(found, lines.parts, lower))
        inner.nodes += in_parts(found, {one: one for one in lines.parts.values()}, start, axis=1)
    turns = _counted((lines.first, lines.last, lines.count), line, inner.nodes, lines)
    return _counted((*bounds, ONE), row, [*around.nodes, turns], lines)


def _counted(
    bounds: tuple[Operand, Operand, Operand], index: Value, body: Sequence[Node], lines: Lines
) -> Node:
    """Return a loop that counts."""
    location = lines.group[-1].rows.node.location
    region = Block((index,), tuple(body))
    return Node("for_loop", bounds, (), {"over": COUNTING, "breaks": False}, (region,), location)


def _some_lines(one: LineStatement, lower: Operand, upper: Operand) -> RowStatement:
    """Return a statement for the lines from one to before another."""
    start, stop, step = one.lines.inputs
    numbers, node = Numbers(), one.rows.node
    first, last = numbers.larger(start, lower), numbers.smaller(stop, upper)
    lines = replace(one.lines, inputs=(first, last, step), attrs={**one.lines.attrs, SHORT: True})
    region = replace(node.regions[0], nodes=(*numbers.nodes, lines))
    return replace(one.rows, node=replace(node, regions=(region,), attrs={**node.attrs, SHORT: True}))
