"""Products of small matrices and vectors whose sizes are known, written out: numbers that are multiplied and added up as NumPy does.

In which order that is depends on the sizes and on how the factors lie in memory; the writer knows what was found out of it
(`writer.orders`).  A sum whose bits are not certain gives the program up.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np

from astrace.ir.block import Constant, Operand, Value
from astrace.ir.specs import GenericSpec
from astrace.ops.lowered_products import (
    COLUMNS,
    DENSE_COLUMNS,
    DENSE_ROWS,
    FUSED,
    GROUPS,
    HALVES,
    LANES,
    LOOPS,
    MATRICES,
    MOST,
    MOST_ALIKE,
    OF_ZEROS,
    PAIRS,
    PLAIN_PAIRS,
    ROWS,
    TURNED,
    TURNED_GROUPS,
    UNKNOWN,
    VECTOR_LOOPS,
    VECTORS,
    place_of,
)
from astrace.passes.lowering.arrays import allocated
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, FLOAT, ArrayForm, Form, NumberForm, RunningAxis, integer
from astrace.passes.lowering.layouts import is_one

MOST_PRODUCTS: Final = 64
"""More are as fast by the library, and take long to compile."""
Cells = Sequence[Sequence[Operand]]
"""The numbers of a matrix."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of a product.

    Args:
        array: it, in memory.
        sizes: of its axes.
        steps: between the items of each axis, in items.
    """

    array: ArrayForm
    sizes: tuple[int, ...]
    steps: tuple[int, ...]

    def rows(self, writer: LoweredWriter, is_turned: bool) -> Cells:
        """Return its numbers, row by row; of one axis they are a row, or a column."""
        if len(self.sizes) == 1:
            items = [self.array.element([Constant(at)]) for at in range(self.sizes[0])]
            return [[one] for one in items] if is_turned else [items]
        return [
            [self.array.element([Constant(row), Constant(column)]) for column in range(self.sizes[1])]
            for row in range(self.sizes[0])
        ]


def are_few(left: ArrayForm, right: ArrayForm) -> bool:
    """Return whether two factors have few items, as far as that is known.

    Args:
        left: a factor.
        right: the other one.
    """
    inner = left.shape[-1].known or right.shape[0].known
    sizes = [inner, *(size.known for size in (*left.shape[:-1], *right.shape[1:]))]
    known = [size for size in sizes if size is not None and 1 <= size <= MOST]
    is_float = left.dtype == right.dtype == FLOAT
    return is_float and len(known) == len(sizes) and math.prod(known) <= MOST_PRODUCTS


def product_of_few(writer: LoweredWriter, left: ArrayForm, right: ArrayForm) -> Form | None:
    """Return ``left @ right``, or ``None`` where it is not known how it is added up.

    Args:
        writer: writes nodes.
        left: a factor in memory, whose axes run in NumPy's order.
        right: the other one.
    """
    inner = left.shape[-1].known or right.shape[0].known
    if inner is None or not are_few(left, right):
        return None
    factors = _factor(writer, left, -1, inner), _factor(writer, right, 0, inner)
    one, other = factors
    if one is None or other is None or not _are_apart(writer, one, other):
        return None
    orders = _orders(writer, one, other)
    if UNKNOWN in orders:
        return None
    writer.is_written_out = True
    _check_memory(writer, one, other)
    rows = one.rows(writer, False)
    columns = [*zip(*other.rows(writer, True), strict=True)]
    pairs = zip(orders, itertools.product(rows, columns), strict=True)
    totals = [_total(writer, order, *pair) for order, pair in pairs]
    _check_certain(writer, orders, totals)
    shape = (*one.sizes[:-1], *other.sizes[1:])
    return _made(writer, shape, totals)


def _made(writer: LoweredWriter, shape: tuple[int, ...], totals: Sequence[Operand]) -> Form:
    if not shape:
        return NumberForm(totals[0], GenericSpec(FLOAT))
    made = allocated(writer, FLOAT, tuple(map(integer, shape)), "product")
    assert made.view is not None
    for place, total in zip(np.ndindex(*shape), totals, strict=True):
        writer.store(made.view.base, tuple(map(Constant, place)), total)
    return made


# -- factors ---------------------------------------------------------------------------------------------


def _factor(writer: LoweredWriter, array: ArrayForm, axis: int, inner: int) -> Factor | None:
    """Return a factor whose sizes and steps are known, of which an axis has the size that is known of the other one."""
    if array.view is None or array.view.part or not array.view.writeable:
        return None
    sizes = [size.known for size in array.shape]
    sizes[axis] = inner
    known = [size for size in sizes if size is not None and 1 <= size <= MOST]
    if len(known) != len(sizes):
        return None
    steps = _steps(writer, array)
    return None if steps is None else Factor(array, tuple(known), steps)


def _steps(writer: LoweredWriter, array: ArrayForm) -> tuple[int, ...] | None:
    """Return the steps between the items of each axis of a view, if its array lies in memory as in C; ``None`` where one is not known."""
    assert array.view is not None
    found: dict[int, int] = {}
    base = array.view.base
    for axis, place in enumerate(array.view.places):
        if not isinstance(place, RunningAxis):
            continue
        behind = [writer.size(base, later).known for later in range(axis + 1, len(array.view.places))]
        if not isinstance(place.step, Constant) or None in behind:
            return None
        found[place.axis] = place.step.value * math.prod(one for one in behind if one is not None)
    missing = [axis for axis in range(len(array.shape)) if axis not in found]
    if not all(is_one(array.shape[axis]) for axis in missing):
        return None  # a new axis
    return tuple(found.get(axis, 1) for axis in range(len(array.shape)))  # no step is made along one item


def _are_apart(writer: LoweredWriter, left: Factor, right: Factor) -> bool:
    """Return whether two matrices are not one, nor one and its transpose, of which the library computes a half."""
    if not len(left.sizes) == len(right.sizes) == 2:
        return True
    bases = [_base(one) for one in (left, right)]
    if writer.may_share(*bases):
        return False
    return all(map(_is_all_of_memory, (left, right))) or not writer.own.isdisjoint(bases)


def _is_all_of_memory(factor: Factor) -> bool:
    """Return whether a matrix is all of an array, as it is or transposed."""
    view = factor.array.view
    assert view is not None
    running = [place for place in view.places if isinstance(place, RunningAxis)]
    begins = all(getattr(place.start, "value", None) == 0 for place in running)
    return begins and len(running) == len(view.places) == len(factor.sizes)


def _check_memory(writer: LoweredWriter, left: Factor, right: Factor) -> None:
    """Give up where arrays from outside do not lie in memory as in C, or two matrices are one."""
    bases = [_base(one) for one in (left, right)]
    for base in bases:
        if base not in writer.own:
            writer.deopt(writer.inverted(writer.emit("lies_in_rows", (base,), BOOL)))
    if len(left.sizes) == len(right.sizes) == 2 and writer.own.isdisjoint(bases):
        writer.deopt(writer.emit("same_memory", tuple(bases), BOOL))


def _base(factor: Factor) -> Value:
    assert factor.array.view is not None
    return factor.array.view.base


# -- orders ----------------------------------------------------------------------------------------------


def _orders(writer: LoweredWriter, left: Factor, right: Factor) -> list[int]:
    """Return in which order each element of a product is added up."""
    match len(left.sizes), len(right.sizes):
        case 1, 1:
            return [_of_vectors(writer, left.sizes[0], left.steps[0], right.steps[0])]
        case 2, 2:
            return _of_matrices(writer, left, right)
        case 2, 1:
            return _with_vector(writer, left.sizes, left.steps, right.steps[0])
        case _:
            return _with_vector(writer, right.sizes[::-1], right.steps[::-1], left.steps[0])


def _of_vectors(writer: LoweredWriter, inner: int, step: int, other: int) -> int:
    if step == other == 1:
        return writer.orders(place_of(VECTORS, 1, 1, inner))
    if min(step, other) < 1:
        return writer.orders(place_of(VECTOR_LOOPS, 1, 1, inner))
    return UNKNOWN


def _with_vector(
    writer: LoweredWriter, sizes: tuple[int, ...], steps: tuple[int, ...], step: int
) -> list[int]:
    """The orders of a product of a matrix and a vector, by their sizes and steps."""
    rows, inner = sizes
    down, across = steps
    if rows == 1 < inner:  # NumPy takes two vectors
        return [_of_vectors(writer, inner, across, step)]
    if inner == 1:
        return [writer.orders(place_of(MATRICES, rows, 1, 1))] * rows
    kind = _kind(rows, inner, down, across, step)
    if kind == MATRICES:
        return [UNKNOWN]
    has_own = max(rows, inner) > MOST_ALIKE
    return [writer.orders(place_of(kind, rows, row if has_own else 1, inner)) for row in range(1, rows + 1)]


def _kind(rows: int, inner: int, down: int, across: int, step: int) -> int:
    if step != 1:
        return LOOPS if step < 1 else MATRICES
    if _is_in_rows(down, across, inner):
        return DENSE_ROWS if down == inner else ROWS
    if _is_in_rows(across, down, rows):
        return DENSE_COLUMNS if across == rows else COLUMNS
    return LOOPS


def _is_in_rows(down: int, across: int, columns: int) -> bool:
    """Whether the items of each row follow each other, as the library asks for."""
    return across == 1 and down >= columns


def _of_matrices(writer: LoweredWriter, left: Factor, right: Factor) -> list[int]:
    rows, inner = left.sizes
    columns = right.sizes[1]
    if columns == 1 < inner:  # NumPy takes a matrix and a vector
        return _with_vector(writer, left.sizes, left.steps, right.steps[0])
    if rows == 1 < inner:
        return _with_vector(writer, right.sizes[::-1], right.steps[::-1], left.steps[1])
    (left_down, left_across), (right_down, right_across) = left.steps, right.steps
    ways = (
        _is_in_rows(left_down, left_across, inner) or _is_in_rows(left_across, left_down, rows),
        _is_in_rows(right_down, right_across, columns) or _is_in_rows(right_across, right_down, inner),
    )
    order = writer.orders(place_of(MATRICES, rows, columns, inner)) if all(ways) else UNKNOWN
    return [order] * (rows * columns)


# -- sums ------------------------------------------------------------------------------------------------

ZERO: Final = Constant(0.0)
GROUP: Final = 4
"""The products that the library adds up together in some orders."""


def _total(writer: LoweredWriter, order: int, left: Sequence[Operand], right: Sequence[Operand]) -> Operand:
    """Add up the products of two rows of numbers."""
    pairs = [*zip(left, right, strict=True)]
    if order == TURNED:
        return _plus(writer, ZERO, _fused(writer, True, pairs))
    if order == FUSED:
        return _fused(writer, False, pairs)
    if order in (PAIRS, PLAIN_PAIRS):
        return _by_pairs(writer, order == PAIRS, pairs)
    if order == HALVES:
        return _plus(writer, ZERO, _by_halves(writer, pairs))
    if order == LANES:
        return _by_lanes(writer, pairs)
    if order == GROUPS:
        return _by_groups(writer, pairs)
    if order == TURNED_GROUPS:
        return _by_turned_groups(writer, pairs)
    products = [_times(writer, *pair) for pair in pairs]
    return reduce(lambda total, one: _plus(writer, total, one), products, ZERO)


def _fused(writer: LoweredWriter, is_turned: bool, pairs: Sequence[tuple[Operand, Operand]]) -> Operand:
    total: Operand = ZERO
    if is_turned:
        total = _times(writer, *pairs[1])
        pairs = [pairs[0], *pairs[2:]]
    return reduce(lambda total, pair: multiplied_and_added(writer, *pair, total), pairs, total)


def _by_pairs(writer: LoweredWriter, is_fused: bool, pairs: Sequence[tuple[Operand, Operand]]) -> Operand:
    total: Operand = ZERO
    for place in range(0, len(pairs) - 1, 2):
        first, second = pairs[place], _times(writer, *pairs[place + 1])
        both = (
            multiplied_and_added(writer, *first, second)
            if is_fused
            else _plus(writer, _times(writer, *first), second)
        )
        total = _plus(writer, total, both)
    return _plus(writer, total, _times(writer, *pairs[-1])) if len(pairs) % 2 else total


def _by_halves(writer: LoweredWriter, pairs: Sequence[tuple[Operand, Operand]]) -> Operand:
    first, second, third, last = (_times(writer, *pair) for pair in pairs)
    return _plus(writer, _plus(writer, first, third), _plus(writer, second, last))


def _by_lanes(writer: LoweredWriter, pairs: Sequence[tuple[Operand, Operand]]) -> Operand:
    size = len(pairs) // GROUP * GROUP
    lanes = [_fused(writer, False, pairs[at:size:GROUP]) for at in range(GROUP)]
    halves = _plus(writer, lanes[0], lanes[2]), _plus(writer, lanes[1], lanes[3])
    total = _plus(writer, ZERO, _plus(writer, *halves))
    rest = pairs[size:]
    if len(rest) <= 1:
        return reduce(lambda total, pair: multiplied_and_added(writer, *pair, total), rest, total)
    return _plus(writer, total, _plus(writer, ZERO, _fused(writer, True, rest)))


def _by_groups(writer: LoweredWriter, pairs: Sequence[tuple[Operand, Operand]]) -> Operand:
    total: Operand = ZERO
    whole = len(pairs) // GROUP * GROUP
    for at in range(0, whole, GROUP):
        first, second, third, last = pairs[at : at + GROUP]
        one = multiplied_and_added(writer, *third, _times(writer, *first))
        other = multiplied_and_added(writer, *last, _times(writer, *second))
        total = _plus(writer, total, _plus(writer, one, other))
    if len(pairs) - whole >= 2:
        both = (_times(writer, *pair) for pair in pairs[whole : whole + 2])
        total = _plus(writer, total, _plus(writer, *both))
    return _plus(writer, total, _times(writer, *pairs[-1])) if len(pairs) % 2 else total


def _by_turned_groups(writer: LoweredWriter, pairs: Sequence[tuple[Operand, Operand]]) -> Operand:
    total: Operand = ZERO
    at = 0
    for size in (GROUP, 2):
        while len(pairs) - at >= size:
            total = _plus(writer, total, _plus(writer, ZERO, _fused(writer, True, pairs[at : at + size])))
            at += size
    return _plus(writer, total, _times(writer, *pairs[-1])) if len(pairs) % 2 else total


def _times(writer: LoweredWriter, a: Operand, b: Operand) -> Operand:
    return writer.emit("mul", (a, b), FLOAT)


def _plus(writer: LoweredWriter, a: Operand, b: Operand) -> Operand:
    return writer.emit("add", (a, b), FLOAT)


def multiplied_and_added(writer: LoweredWriter, a: Operand, b: Operand, c: Operand) -> Operand:
    """Return ``a * b + c``, rounded once.

    Args:
        writer: writes nodes.
        a: a factor.
        b: the other one.
        c: what is added.
    """
    return writer.emit("multiply_and_add", (a, b, c), FLOAT)


def _check_certain(writer: LoweredWriter, orders: Sequence[int], totals: Sequence[Operand]) -> None:
    """Give up where the bits of a sum are not certain: it is not a number, or a zero that is fused and has a sign."""
    certain = [
        writer.emit("has_one_form", (total,), BOOL)
        if order in OF_ZEROS
        else writer.emit("eq", (total, total), BOOL)
        for order, total in zip(orders, totals, strict=True)
    ]
    writer.deopt(writer.inverted(reduce(writer.both, certain)))
