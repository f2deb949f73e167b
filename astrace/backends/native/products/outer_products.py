"""Products of matrices of which some sizes are few and others may be many, as machine code: each product multiplied and added.

Columns that follow each other in memory are computed some at once.  Few columns are brought together once for all rows, wherever they lie.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir

from astrace.backends.native.products.outer_loops import (
    BYTES,
    ITEM,
    WORD,
    constant,
    counted,
    fused,
    items_of,
    loaded,
    moved,
    stored,
)
from astrace.backends.native.products.outer_vectors import are_certain
from astrace.ops.lowered_products import MOST

# pyright: basic
BIT: Final = ir.IntType(1)
WIDTHS: Final = (8, 4)
"""The numbers of columns that are computed at once."""


class WideRows:
    """Writes the product of two matrices.

    Args:
        builder: writes LLVM instructions.
        sizes: rows, products in an element, columns.
        steps: of the factors in bytes, each down and across.
    """

    def __init__(self, builder: Any, sizes: Any, steps: Any) -> None:
        self._builder = builder
        self._rows, self._inner, self._columns = sizes
        self._left_down, self._left_across, self._right_down, self._right_across = steps
        self._done = builder.alloca(BIT)
        self._held = {width: builder.alloca(items_of(width), size=MOST) for width in WIDTHS}
        self._totals = {width: builder.alloca(items_of(width)) for width in (*WIDTHS, 1)}

    def write(self, out: Any, left: Any, right: Any) -> Any:
        """Write it; return whether all elements have one form of bits only, as `is_certain` says.

        Args:
            out: the address of the product, in C order.
            left: that of the left factor.
            right: that of the right one.
        """
        builder = self._builder
        builder.store(BIT(1), self._done)
        least = WORD(0)
        for width in WIDTHS[::-1]:
            fits = builder.icmp_signed("<=", self._columns, WORD(width))
            with builder.if_then(builder.and_(fits, builder.icmp_signed(">", self._columns, least))):
                self._few_columns(width, out, left, right)
            least = WORD(width)
        with builder.if_then(builder.icmp_signed(">", self._columns, least)):
            self._many_columns(out, left, right)
        return builder.load(self._done)

    def _few_columns(self, width: int, out: Any, left: Any, right: Any) -> None:
        """Write rows of at most so many columns, from vectors with all columns: the last one stands for those that are missing."""
        builder, held = self._builder, self._held[width]
        last = builder.sub(self._columns, WORD(1))
        with counted(builder, WORD(0), self._inner, 1) as place:
            row = moved(builder, right, self._right_down, place)
            vector = ir.Constant(items_of(width), ir.Undefined)
            for at in range(width):
                there = builder.icmp_signed("<", WORD(at), last)
                column = builder.select(there, WORD(at), last)
                item = loaded(builder, 1, moved(builder, row, self._right_across, column))
                vector = builder.insert_element(vector, item, ir.Constant(WORD, at))
            builder.store(vector, builder.gep(held, [place]))
        items = builder.mul(self._rows, self._columns)
        with counted(builder, WORD(0), self._rows, 1) as row:
            first = moved(builder, left, self._left_down, row)
            totals = self._summed(width, first, lambda place: builder.load(builder.gep(held, [place])))
            self._put(width, out, builder.mul(row, self._columns), items, totals)

    def _summed(self, width: int, left: Any, factor: Any) -> Any:
        """Sums of the items of a row times what there is for each of them."""
        builder, total = self._builder, self._totals[width]
        builder.store(constant(width, ITEM, 0.0), total)
        with counted(builder, WORD(0), self._inner, 1) as place:
            number = loaded(builder, 1, moved(builder, left, self._left_across, place))
            given = self._spread(number, width) if width > 1 else number
            builder.store(fused(builder, width, given, factor(place), builder.load(total)), total)
        return builder.load(total)

    def _put(self, width: int, out: Any, begin: Any, items: Any, totals: Any) -> None:
        """Store a row, and behind it what the next ones overwrite; of the last ones only what they have."""
        builder = self._builder
        self._note(width, totals)
        at = moved(builder, out, begin, WORD(BYTES))
        fits = builder.icmp_signed("<=", builder.add(begin, WORD(width)), items)
        with builder.if_else(fits) as (whole, single):
            with whole:
                stored(builder, totals, at)
            with single:
                self._put_items(width, at, totals)

    def _put_items(self, width: int, at: Any, totals: Any) -> None:
        """Store the columns of a row one by one."""
        builder = self._builder
        for place in range(width):
            with builder.if_then(builder.icmp_signed("<", WORD(place), self._columns)):
                item = builder.extract_element(totals, ir.Constant(WORD, place))
                stored(builder, item, builder.add(at, WORD(BYTES * place)))

    def _many_columns(self, out: Any, left: Any, right: Any) -> None:
        """Write rows a block of columns after the other, where these follow each other in memory; else one by one."""
        builder = self._builder
        follow = builder.icmp_signed("==", self._right_across, WORD(BYTES))
        with counted(builder, WORD(0), self._rows, 1) as row:
            first = moved(builder, left, self._left_down, row)
            begin = moved(builder, out, self._columns, builder.mul(row, WORD(BYTES)))
            at = WORD(0)
            for width in WIDTHS:
                whole = builder.and_(self._columns, WORD(-width))
                end = builder.select(follow, whole, at)
                self._blocks(width, at, end, begin, first, right)
                at = end
            self._blocks(1, at, self._columns, begin, first, right)

    def _blocks(self, width: int, at: Any, end: Any, out: Any, left: Any, right: Any) -> None:
        """Write columns of a row, so many at once."""
        builder = self._builder
        with counted(builder, at, end, width) as column:
            begin = moved(builder, right, self._right_across, column)

            def factor(place: Any) -> Any:
                return loaded(builder, width, moved(builder, begin, self._right_down, place))

            found = self._summed(width, left, factor)
            stored(builder, found, moved(builder, out, column, WORD(BYTES)))
            self._note(width, found)

    def _note(self, width: int, totals: Any) -> None:
        """Note whether sums are numbers, and no zeros with a sign."""
        builder = self._builder
        builder.store(builder.and_(builder.load(self._done), are_certain(builder, width, totals)), self._done)

    def _spread(self, number: Any, width: int) -> Any:
        none = ir.Constant(items_of(width), ir.Undefined)
        first = self._builder.insert_element(none, number, ir.Constant(WORD, 0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), width), [0] * width)
        return self._builder.shuffle_vector(first, none, mask)
