"""Systems of few linear equations whose sizes are known, solved number by number as the library does that NumPy calls.

In which way that is the writer knows (`writer.orders`).  A matrix that may be singular, and a solution that is not a number, give the program up.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from astrace.ir.block import Constant, Operand
from astrace.ops.lowered_products import UNKNOWN
from astrace.ops.lowered_solutions import (
    INVERSE,
    LARGEST_PIVOT,
    LEAST_PIVOT,
    MOST_COLUMNS,
    MOST_UNKNOWNS,
    VECTOR,
    Elimination,
    place_of_way,
    way_of,
)
from astrace.passes.lowering.arrays import allocated
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, FLOAT, ArrayForm
from astrace.passes.lowering.sizes.few_products import multiplied_and_added


class OperandComputing:
    """Arithmetic of the operands of a program.

    Args:
        writer: writes nodes.
    """

    def __init__(self, writer: LoweredWriter) -> None:
        self._writer = writer

    def times(self, a: Any, b: Any) -> Operand:
        """``a * b``."""
        return self._number("mul", a, b)

    def minus(self, a: Any, b: Any) -> Operand:
        """``a - b``."""
        return self._number("sub", a, b)

    def plus(self, a: Any, b: Any) -> Operand:
        """``a + b``."""
        return self._number("add", a, b)

    def over(self, a: Any, b: Any) -> Operand:
        """``a / b``."""
        return self._number("truediv", a, b)

    def multiply_and_add(self, a: Any, b: Any, c: Any) -> Operand:
        """``a * b + c``, rounded once."""
        return multiplied_and_added(self._writer, a, b, c)

    def is_larger(self, a: Any, b: Any) -> Operand:
        """Whether ``abs(a) > abs(b)``."""
        return self._writer.emit("gt", (self._size(a), self._size(b)), BOOL)

    def both(self, one: Any, other: Any) -> Operand:
        """``one and other``."""
        return self._writer.both(one, other)

    def inverted(self, test: Any) -> Operand:
        """``not test``."""
        return self._writer.inverted(test)

    def choose(self, test: Any, then: Any, orelse: Any) -> Operand:
        """``then if test else orelse``."""
        if then is True:
            return self._writer.either(test, orelse)
        return self._writer.choose(test, then, orelse, FLOAT)

    def check_pivot(self, pivot: Any) -> None:
        """Give up where the library may do something else with a pivot, which may be zero or no number."""
        size = self._size(pivot)
        usual = (
            self._writer.emit("ge", (size, Constant(LEAST_PIVOT)), BOOL),
            self._writer.emit("le", (size, Constant(LARGEST_PIVOT)), BOOL),
        )
        self._writer.deopt(self._writer.inverted(self._writer.both(*usual)))

    def _size(self, a: Any) -> Operand:
        return self._writer.emit("abs", (a,), FLOAT)

    def _number(self, op: str, a: Any, b: Any) -> Operand:
        given = (one if not isinstance(one, float) else Constant(one) for one in (a, b))
        return self._writer.emit(op, tuple(given), FLOAT)


def solution_of_few(writer: LoweredWriter, matrix: ArrayForm, right: ArrayForm | None) -> ArrayForm | None:
    """Return the solution of a system, or ``None`` where it is not known how it is computed.

    Args:
        writer: writes nodes.
        matrix: a square one.
        right: the right sides, of one axis or two; without them, the inverse of the matrix is asked for.
    """
    count = next((size.known for size in matrix.shape if size.known is not None), None)
    columns = INVERSE if right is None else VECTOR if len(right.shape) == 1 else right.shape[1].known
    if count is None or columns is None or matrix.dtype != FLOAT or not 1 <= count <= MOST_UNKNOWNS:
        return None
    if right is not None and (right.dtype != FLOAT or not 0 <= columns <= MOST_COLUMNS):
        return None
    code = writer.orders(place_of_way(count, columns))
    if code == UNKNOWN:
        return None
    way, zeros_are_certain = way_of(code)
    writer.is_written_out = writer.uses_floats = writer.flags_decide = True
    rows = [[matrix.element([Constant(row), Constant(at)]) for at in range(count)] for row in range(count)]
    sides = _identity(count) if right is None else _sides(right, count, columns)
    solved = Elimination(OperandComputing(writer), way).solved(rows, sides)
    _check(writer, [*itertools.chain(*solved)], zeros_are_certain)
    return _made(writer, matrix if right is None else right, solved)


def _identity(count: int) -> list[list[Operand]]:
    return [[Constant(float(row == column)) for column in range(count)] for row in range(count)]


def _sides(right: ArrayForm, count: int, columns: int) -> list[list[Operand]]:
    if len(right.shape) == 1:
        return [[right.element([Constant(row)])] for row in range(count)]
    return [[right.element([Constant(row), Constant(at)]) for at in range(columns)] for row in range(count)]


def _check(writer: LoweredWriter, numbers: Sequence[Operand], zeros_are_certain: bool) -> None:
    """Give up where something is not a number, or is a zero whose sign is not certain."""
    if zeros_are_certain:
        certain = (writer.emit("eq", (one, one), BOOL) for one in numbers)
    else:
        sizes = (writer.emit("abs", (one,), FLOAT) for one in numbers)
        certain = (writer.emit("gt", (size, Constant(0.0)), BOOL) for size in sizes)
    writer.deopt(writer.inverted(reduce(writer.both, certain)))


def _made(writer: LoweredWriter, like: ArrayForm, solved: list[list[Operand]]) -> ArrayForm:
    """The solution as an array, of the shape of another one."""
    made = allocated(writer, FLOAT, like.shape, "result")
    assert made.view is not None
    writer.in_c_order.add(made.view.base)
    shape = (len(solved), len(solved[0]))[: len(like.shape)]
    for place, number in zip(np.ndindex(*shape), itertools.chain(*solved), strict=True):
        writer.store(made.view.base, tuple(map(Constant, place)), number)
    return made
