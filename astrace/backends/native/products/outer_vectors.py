"""Products of a matrix and a vector as machine code, added up in the orders that `vector_orders` has found."""

from __future__ import annotations

from collections.abc import Callable
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
    part_of,
    stored,
)
from astrace.ops.lowered_products import FUSED, GROUPS, LANES, PLAIN, TURNED_GROUPS

# pyright: basic, reportCallIssue=false
BIT: Final = ir.IntType(1)
GROUP: Final = 4
"""The rows, and the products, that the library takes together."""
WRITTEN: Final = frozenset({PLAIN, FUSED, LANES, GROUPS, TURNED_GROUPS})
"""The orders that can be written."""


class VectorProduct:
    """Writes the product of a matrix and a vector whose items follow each other.

    Args:
        builder: writes LLVM instructions.
        out: the address of the product.
        matrix: that of the matrix.
        vector: that of the vector.
        inner: the columns of the matrix.
        steps: of the matrix in bytes, down and across.
    """

    def __init__(self, builder: Any, out: Any, matrix: Any, vector: Any, inner: Any, steps: Any) -> None:
        self._builder = builder
        self._out, self._matrix, self._vector, self._inner = out, matrix, vector, inner
        self._down, self._across = steps
        self._whole = builder.and_(inner, WORD(-GROUP))
        self._done = builder.alloca(BIT)
        builder.store(BIT(1), self._done)

    def is_certain(self) -> Any:
        """Return whether all sums that were written are numbers, and no zeros with a sign."""
        return self._builder.load(self._done)

    def write(self, order: int, begin: Any, end: Any) -> None:
        """Write some rows.

        Args:
            order: in which they are added up.
            begin: the first row.
            end: the one behind the last.
        """
        width = GROUP if order in (GROUPS, TURNED_GROUPS) else 1
        builder = self._builder
        with counted(builder, begin, end, width) as row:
            first = moved(builder, self._matrix, self._down, row)
            if order == LANES:
                total = self._by_lanes(first)
            elif width > 1:
                total = self._by_groups(order, first)
            else:
                total = self._in_turn(order, first)
            stored(builder, total, moved(builder, self._out, WORD(BYTES), row))
            self._note(width, total)

    def _in_turn(self, order: int, row: Any) -> Any:
        def add(before: Any, place: Any) -> Any:
            pair = self._pair(1, row, place)
            if order == FUSED:
                return fused(self._builder, 1, *pair, before)
            return self._builder.fadd(before, self._builder.fmul(*pair))

        return self._summed(1, constant(1, ITEM, 0.0), WORD(0), self._inner, 1, add)

    def _by_lanes(self, row: Any) -> Any:
        builder = self._builder

        def add(before: Any, place: Any) -> Any:
            addresses = (moved(builder, one, WORD(BYTES), place) for one in (row, self._vector))
            return fused(builder, GROUP, *(loaded(builder, GROUP, one) for one in addresses), before)

        lanes = self._summed(GROUP, constant(GROUP, ITEM, 0.0), WORD(0), self._whole, GROUP, add)
        pair = builder.fadd(*(part_of(builder, lanes, at, 2) for at in (0, 2)))
        both = builder.fadd(*(builder.extract_element(pair, ir.Constant(WORD, at)) for at in (0, 1)))
        held = builder.alloca(ITEM)
        builder.store(self._from_zero(1, both), held)
        rest = builder.sub(self._inner, self._whole)
        with builder.if_then(builder.icmp_signed("==", rest, WORD(1))):
            builder.store(fused(builder, 1, *self._pair(1, row, self._whole), builder.load(held)), held)
        for count in (2, 3):
            with builder.if_then(builder.icmp_signed("==", rest, WORD(count))):
                more = self._turned(1, row, self._whole, count)
                builder.store(builder.fadd(builder.load(held), more), held)
        return builder.load(held)

    def _by_groups(self, order: int, row: Any) -> Any:
        """Sums of as many rows as a group has, side by side."""
        builder = self._builder
        of_group = self._turned if order == TURNED_GROUPS else self._crossed

        def add(count: int) -> Callable[[Any, Any], Any]:
            return lambda before, place: builder.fadd(before, of_group(GROUP, row, place, count))

        def add_one(before: Any, place: Any) -> Any:
            return builder.fadd(before, builder.fmul(*self._pair(GROUP, row, place)))

        even = builder.and_(self._inner, WORD(-2))
        zeros = constant(GROUP, ITEM, 0.0)
        total = self._summed(GROUP, zeros, WORD(0), self._whole, GROUP, add(GROUP))
        total = self._summed(GROUP, total, self._whole, even, 2, add(2))
        return self._summed(GROUP, total, even, self._inner, 1, add_one)

    def _crossed(self, width: int, row: Any, place: Any, count: int) -> Any:
        """The first product and the third one, and the others, as `GROUPS` has them."""
        builder = self._builder
        pairs = self._pairs(width, row, place, count)
        both = [builder.fmul(*pair) for pair in pairs[:2]]
        if count == GROUP:
            both = [fused(builder, width, *pair, one) for pair, one in zip(pairs[2:], both, strict=True)]
        return builder.fadd(*both)

    def _turned(self, width: int, row: Any, place: Any, count: int) -> Any:
        builder = self._builder
        first, second, *others = self._pairs(width, row, place, count)
        total = fused(builder, width, *first, builder.fmul(*second))
        for pair in others:
            total = fused(builder, width, *pair, total)
        return self._from_zero(width, total)

    def _pairs(self, width: int, row: Any, place: Any, count: int) -> list[tuple[Any, Any]]:
        places = (self._builder.add(place, WORD(at)) for at in range(count))
        return [self._pair(width, row, one) for one in places]

    def _pair(self, width: int, row: Any, place: Any) -> tuple[Any, Any]:
        """The items of so many rows at a place, and the vector's one."""
        builder = self._builder
        items = loaded(builder, width, moved(builder, row, self._across, place))
        number = loaded(builder, 1, moved(builder, self._vector, WORD(BYTES), place))
        if width == 1:
            return items, number
        none = ir.Constant(items_of(width), ir.Undefined)
        one = builder.insert_element(none, number, ir.Constant(WORD, 0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), width), [0] * width)
        return items, builder.shuffle_vector(one, none, mask)

    def _summed(
        self, width: int, first: Any, begin: Any, end: Any, step: int, add: Callable[[Any, Any], Any]
    ) -> Any:
        """A sum that begins with a value, to which each turn adds."""
        builder = self._builder
        held = builder.alloca(items_of(width))
        builder.store(first, held)
        with counted(builder, begin, end, step) as place:
            builder.store(add(builder.load(held), place), held)
        return builder.load(held)

    def _from_zero(self, width: int, total: Any) -> Any:
        return self._builder.fadd(constant(width, ITEM, 0.0), total)

    def _note(self, width: int, totals: Any) -> None:
        builder = self._builder
        builder.store(builder.and_(builder.load(self._done), are_certain(builder, width, totals)), self._done)


def are_certain(builder: Any, width: int, totals: Any) -> Any:
    """Return whether sums have one form of bits only: numbers, and no zeros with a sign.

    Args:
        builder: writes LLVM instructions.
        width: their number.
        totals: they.
    """
    words = builder.bitcast(totals, ir.VectorType(WORD, width) if width > 1 else WORD)
    is_zero = builder.icmp_signed("==", words, constant(width, WORD, 0))
    is_other = builder.fcmp_ordered("!=", totals, constant(width, ITEM, 0.0))
    found = builder.or_(is_zero, is_other)
    if width == 1:
        return found
    bits = builder.bitcast(found, ir.IntType(width))
    return builder.icmp_unsigned("==", bits, bits.type(2**width - 1))
