"""By how many rows a statement is behind others, so that it finds what they have written, and how many rows of an array that takes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import reduce

from astrace.ir.block import Operand, Value
from astrace.passes.fusion.row_statements import RowAccess
from astrace.passes.fusion.tiles import ONE, ZERO, Numbers
from astrace.passes.lowering.block import same_operand


def lags(accesses: Sequence[Sequence[RowAccess]], numbers: Numbers) -> list[Operand]:
    """Write by how many rows each statement is behind.

    Args:
        accesses: of the statements, to arrays that others touch as well; of what is written, and touched by several, all rows are known.
        numbers: what is written.
    """
    found: list[Operand] = []
    for number, later in enumerate(accesses):
        least: dict[Operand, None] = {}
        for earlier, lag in zip(accesses[:number], found, strict=True):
            for distance in _distances(earlier, later, numbers):
                least[numbers.plus(lag, distance)] = None
        found.append(reduce(numbers.larger, least) if least else ZERO)
    return found


def _distances(first: Sequence[RowAccess], second: Sequence[RowAccess], numbers: Numbers) -> list[Operand]:
    """Write the distances between a row of one statement and that of a later one that touch the same, one of them writing."""
    found: list[tuple[Operand, Operand]] = []
    for one, other in itertools.product(first, second):
        if one.base is not other.base or not (one.writes or other.writes):
            continue
        assert one.offset is not None
        assert other.offset is not None
        if not any(same_operand(one.offset, a) and same_operand(other.offset, b) for a, b in found):
            found.append((one.offset, other.offset))
    return [numbers.minus(later, earlier) for earlier, later in found]


def span(
    array: Value, accesses: Sequence[Sequence[RowAccess]], behind: Sequence[Operand], numbers: Numbers
) -> Operand | None:
    """Write how many rows lie between the first one of an array that a turn touches and the last; ``None`` where they are not known.

    Args:
        array: the array.
        accesses: of the statements.
        behind: their lags.
        numbers: what is written.
    """
    turns: dict[Operand, None] = {}
    for ones, lag in zip(accesses, behind, strict=True):
        for one in ones:
            if one.base is not array:
                continue
            if one.offset is None:
                return None
            turns[numbers.minus(lag, one.offset)] = None
    return numbers.minus(reduce(numbers.larger, turns), reduce(numbers.smaller, turns))


def ends(
    bounds: Sequence[tuple[Operand, Operand]], behind: Sequence[Operand], numbers: Numbers
) -> tuple[Operand, Operand]:
    """Write at which row the first statement begins, and behind which the last one ends: at least one row.

    Args:
        bounds: of loops over rows.
        behind: the lags of the statements in which they stand.
        numbers: what is written.
    """
    pairs = list(zip(bounds, behind, strict=True))
    starts = dict.fromkeys(numbers.plus(lag, start) for (start, _), lag in pairs)
    first = reduce(numbers.smaller, starts)
    once = numbers.plus(first, ONE)  # where there is no row, there are tests all the same
    stops = dict.fromkeys(numbers.plus(lag, stop) for (_, stop), lag in pairs)
    return first, reduce(numbers.larger, stops, once)
