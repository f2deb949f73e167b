"""Products of small matrices, written out: a row at a time, all of its columns at once, each product multiplied and added.

Items are read one by one and rows stored whole: a processor waits where it reads together what it has stored apart.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from astrace.backends.native.arithmetic.product_orders import MOST_OF_MATRICES

# pyright: basic, reportCallIssue=false
WORD: Final = ir.IntType(64)
ITEM: Final = ir.DoubleType()
BYTES: Final = 8
FEWEST_OF_MATRICES: Final = 2
"""Rows that matrices have at least; products of a row are those of a vector."""


class _UnrolledRows:
    """Writes the product of two matrices.

    Args:
        builder: writes LLVM instructions.
        inner: the number of products in an element.
        columns: of the product.
        steps: of the factors in bytes, each down and across.
    """

    def __init__(self, builder: Any, inner: int, columns: int, steps: Any) -> None:
        self._builder = builder
        self._inner = inner
        self._columns = columns
        self._left_down, self._left_across, *self._right_steps = cgutils.unpack_tuple(builder, steps, 4)
        self._kind = ir.VectorType(ITEM, columns)
        kind = ir.FunctionType(self._kind, [self._kind] * 3)
        self._fused = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{columns}f64")

    def write(self, out: Any, left: Any, right: Any, rows: Any) -> Any:
        """Write it; return whether all elements have one form of bits only, as `is_certain` says.

        Args:
            out: the address of the product, in C order.
            left: that of the left factor.
            right: that of the right one.
            rows: their number.
        """
        builder = self._builder
        factors = [self._factor(right, place) for place in range(self._inner)]
        bits = ir.VectorType(ir.IntType(1), self._columns)
        done = cgutils.alloca_once_value(builder, ir.Constant(bits, [1] * self._columns))
        with ExitStack() as stack:
            for row in range(MOST_OF_MATRICES):
                if row >= FEWEST_OF_MATRICES:
                    stack.enter_context(builder.if_then(builder.icmp_signed(">", rows, WORD(row))))
                totals = self._totals(self._moved(left, self._left_down, row), factors)
                at = builder.add(out, WORD(row * self._columns * BYTES))
                builder.store(totals, builder.inttoptr(at, self._kind.as_pointer()), align=BYTES)
                builder.store(builder.and_(builder.load(done), self._certain(totals)), done)
        found = builder.load(done)
        parts = [builder.extract_element(found, ir.Constant(WORD, i)) for i in range(self._columns)]
        return functools.reduce(builder.and_, parts)

    def _totals(self, row: Any, factors: Iterable[Any]) -> Any:
        """The elements of a row, of the address of that of the left factor and the rows of the right one."""
        totals = ir.Constant(self._kind, [0.0] * self._columns)
        for place, factor in enumerate(factors):
            number = self._item(row, self._left_across, place)
            totals = self._builder.call(self._fused, [self._vector([number] * self._columns), factor, totals])
        return totals

    def _factor(self, right: Any, place: int) -> Any:
        """A row of the right factor."""
        down, across = self._right_steps
        row = self._moved(right, down, place)
        return self._vector([self._item(row, across, column) for column in range(self._columns)])

    def _certain(self, totals: Any) -> Any:
        """Which sums are numbers, and no zeros with a sign."""
        words = ir.VectorType(WORD, self._columns)
        zeros = [0] * self._columns
        is_zero = self._builder.icmp_signed(
            "==", self._builder.bitcast(totals, words), ir.Constant(words, zeros)
        )
        is_other = self._builder.fcmp_ordered("!=", totals, ir.Constant(self._kind, zeros))
        return self._builder.or_(is_zero, is_other)

    def _moved(self, address: Any, step: Any, count: int) -> Any:
        return self._builder.add(address, self._builder.mul(step, WORD(count)))

    def _item(self, address: Any, step: Any, place: int) -> Any:
        at = self._moved(address, step, place)
        return self._builder.load(self._builder.inttoptr(at, ITEM.as_pointer()))

    def _vector(self, items: list[Any]) -> Any:
        made = ir.Constant(self._kind, ir.Undefined)
        for place, value in enumerate(items):
            made = self._builder.insert_element(made, value, ir.Constant(WORD, place))
        return made


def _unrolled(inner: int, columns: int) -> Any:
    """Return what multiplies matrices of these sizes; its arguments are those of `_UnrolledRows`, and sizes and steps of the call."""

    def generate(context, builder, signature, args):
        *places, steps = args
        return _UnrolledRows(builder, inner, columns, steps).write(*places)

    def multiplied(typing_context, out, left, right, rows, steps):
        return types.boolean(out, left, right, rows, steps), generate

    return intrinsic(multiplied)


times_2_2, times_2_3, times_2_4 = (_unrolled(2, columns) for columns in (2, 3, 4))
times_3_2, times_3_3, times_3_4 = (_unrolled(3, columns) for columns in (2, 3, 4))
times_4_2, times_4_3, times_4_4 = (_unrolled(4, columns) for columns in (2, 3, 4))
"""By the number of products in an element, and columns."""
