"""Systems of few linear equations, solved number by number as LAPACK does it: what a trial and the lowering have in common.

A library may add up, and divide, in several ways.  Which one NumPy's takes depends on it, on the processor and on the sizes, and
not on the numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from astrace.ops.lowered_products import KINDS, MOST

MOST_UNKNOWNS: Final = 4
"""The largest system that is solved in place."""
MOST_COLUMNS: Final = 4
"""The most right sides at once."""
VECTOR: Final = 0
"""Stands for the number of right sides of a vector."""
INVERSE: Final = MOST_COLUMNS + 1
"""Stands for the number of right sides of an inverse."""
FIRST_PLACE: Final = KINDS * MOST**3
"""Places of ways come behind those of the orders of products."""
LEAST_PIVOT: Final = 1e-290
LARGEST_PIVOT: Final = 1e290
"""Libraries divide by numbers that are smaller, or larger, in other ways."""


@dataclass(frozen=True, slots=True)
class SolvingWay:
    """How a library solves.

    Args:
        is_fused: the sums of the solution's second half are fused with their products.
        sums_first: products are added up before they are subtracted.
        multiplies: by the inverse of a pivot in the place of dividing by it, in the end.
        is_elimination_fused: the sums of the elimination are fused with their products.
    """

    sums_first: bool
    is_fused: bool
    multiplies: bool
    is_elimination_fused: bool


WAYS: Final = tuple(
    SolvingWay(*choice)
    for choice in itertools.product((False, True), (False, True), (True, False), (False, True))
)
"""The ways that are tried."""


def code_of(way: SolvingWay, zeros_are_certain: bool) -> int:
    """Return a number for what was found out, from one on.

    Args:
        way: of the library.
        zeros_are_certain: it gives the sign of each zero.
    """
    return 1 + WAYS.index(way) + (0 if zeros_are_certain else len(WAYS))


def way_of(code: int) -> tuple[SolvingWay, bool]:
    """Return what `code_of` was given.

    Args:
        code: for a way.
    """
    return WAYS[(code - 1) % len(WAYS)], code <= len(WAYS)


def place_of_way(unknowns: int, columns: int) -> int:
    """Return the place of a way, behind those of the orders of products.

    Args:
        unknowns: their number.
        columns: the number of right sides, or `VECTOR`, or `INVERSE`.
    """
    return FIRST_PLACE + (unknowns - 1) * (INVERSE + 1) + columns


def sizes_at(place: int) -> tuple[int, int]:
    """Return what `place_of_way` was given.

    Args:
        place: of a way.
    """
    unknowns, columns = divmod(place - FIRST_PLACE, INVERSE + 1)
    return unknowns + 1, columns


class Computing(Protocol):
    """What is computed with: numbers, or operands of a program that is written."""

    def times(self, a: Any, b: Any) -> Any:
        """``a * b``."""
        ...

    def minus(self, a: Any, b: Any) -> Any:
        """``a - b``."""
        ...

    def plus(self, a: Any, b: Any) -> Any:
        """``a + b``."""
        ...

    def over(self, a: Any, b: Any) -> Any:
        """``a / b``."""
        ...

    def multiply_and_add(self, a: Any, b: Any, c: Any) -> Any:
        """``a * b + c``, rounded once."""
        ...

    def is_larger(self, a: Any, b: Any) -> Any:
        """Whether ``abs(a) > abs(b)``."""
        ...

    def both(self, one: Any, other: Any) -> Any:
        """``one and other``."""
        ...

    def inverted(self, test: Any) -> Any:
        """``not test``."""
        ...

    def choose(self, test: Any, then: Any, orelse: Any) -> Any:
        """``then if test else orelse``."""
        ...

    def check_pivot(self, pivot: Any) -> None:
        """Give up where the library may do something else with a pivot."""
        ...


class Elimination:
    """The solution of a system, by elimination with the largest pivot of each column.

    Args:
        arithmetic: computes.
        way: of the library.
    """

    def __init__(self, arithmetic: Computing, way: SolvingWay) -> None:
        self._with = arithmetic
        self._way = way

    def solved(self, matrix: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """Return the solution, row by row.

        Args:
            matrix: its rows.
            right: the rows of the right sides.
        """
        rows = [[*row] for row in matrix]
        sides = [[*row] for row in right]
        inverses = [self._eliminate(rows, sides, at) for at in range(len(rows))]
        for column in range(len(sides[0])):
            self._solve(rows, sides, column, inverses)
        return sides

    def _eliminate(self, rows: list[list[Any]], sides: list[list[Any]], at: int) -> Any:
        """Compute a column of both factors, with the largest item of the lower one as the pivot; return the inverse of that."""
        for place in range(1, len(rows)):
            pairs = [(rows[place][k], rows[k][at]) for k in range(min(place, at))]
            rows[place][at] = self._less_sum(rows[place][at], pairs, self._way.is_elimination_fused)
        self._exchange(rows, sides, at)
        self._with.check_pivot(rows[at][at])
        inverse = self._with.over(1.0, rows[at][at])
        for row in rows[at + 1 :]:
            row[at] = self._with.times(row[at], inverse)
        return inverse

    def _exchange(self, rows: list[list[Any]], sides: list[list[Any]], at: int) -> None:
        """Exchange a row with the one that has the first largest item of a column."""
        largest, tests = rows[at][at], []
        for row in rows[at + 1 :]:
            tests.append(self._with.is_larger(row[at], largest))
            largest = self._with.choose(tests[-1], row[at], largest)
        later: Any = False
        for place in reversed(range(at + 1, len(rows))):
            test = tests[place - at - 1]
            here = test if later is False else self._with.both(test, self._with.inverted(later))
            later = test if later is False else self._with.choose(later, True, test)
            for table in (rows, sides):
                self._swap(table, here, at, place)

    def _swap(self, table: list[list[Any]], test: Any, one: int, other: int) -> None:
        """Exchange two rows where a test holds."""
        for column, (a, b) in enumerate(zip(table[one], table[other], strict=True)):
            table[one][column] = self._with.choose(test, b, a)
            table[other][column] = self._with.choose(test, a, b)

    def _less_sum(self, given: Any, pairs: Sequence[tuple[Any, Any]], is_fused: bool) -> Any:
        """What is left of a number without the sum of some products."""
        if not pairs:
            return given
        total = self._with.times(*pairs[0])
        for pair in pairs[1:]:
            if is_fused:
                total = self._with.multiply_and_add(*pair, total)
            else:
                total = self._with.plus(total, self._with.times(*pair))
        return self._with.minus(given, total)

    def _less_each(self, given: Any, pairs: Sequence[tuple[Any, Any]]) -> Any:
        """What is left of a number without some products, one after the other."""
        for pair in pairs:
            given = self._with.minus(given, self._with.times(*pair))
        return given

    def _solve(
        self, rows: list[list[Any]], sides: list[list[Any]], column: int, inverses: Sequence[Any]
    ) -> None:
        """Solve for one right side, downwards and upwards."""
        way, count = self._way, len(rows)
        for at in range(count):
            pairs = [(rows[at][k], sides[k][column]) for k in range(at)]
            given = sides[at][column]
            sides[at][column] = (
                self._less_sum(given, pairs, way.is_fused)
                if way.sums_first
                else self._less_each(given, pairs)
            )
        for at in reversed(range(count)):
            pairs = [(rows[at][k], sides[k][column]) for k in reversed(range(at + 1, count))]
            left = self._less_each(sides[at][column], pairs)
            sides[at][column] = (
                self._with.times(left, inverses[at])
                if way.multiplies
                else self._with.over(left, rows[at][at])
            )
