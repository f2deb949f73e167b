"""In what order the library that NumPy calls for products adds up few of them: found out by trial, once in each process.

Which library it is (OpenBLAS, MKL, BLIS), and what it does on this processor, can change from process to process, so that nothing of it
is kept on disk.  The order depends on sizes, the order of the axes and steps between items, and not on the numbers.  It knows no Numba.
"""

from __future__ import annotations

import ctypes
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from astrace.backends.native.products.long_orders import long_orders
from astrace.backends.native.products.wide_orders import wide_orders
from astrace.ops.lowered_products import (
    COLUMNS,
    DENSE_COLUMNS,
    DENSE_ROWS,
    FUSED,
    HALVES,
    KINDS,
    LOOPS,
    MATRICES,
    MOST,
    OF_ZEROS,
    ORDERS,
    PAIRS,
    PLAIN,
    ROWS,
    TURNED,
    UNKNOWN,
    VECTOR_LOOPS,
    VECTORS,
    place_of,
)

OF_MATRICES: Final = (FUSED, PLAIN)
"""What is asked about products of matrices."""
WITH_VECTORS: Final = (ROWS, DENSE_ROWS, COLUMNS, DENSE_COLUMNS, LOOPS)
"""The kinds of products of a matrix and a vector."""
MOST_OF_MATRICES: Final = 4
"""The largest size of an axis of matrices that is tried: the library is faster with five."""
SAMPLES: Final = 8
"""The number of products with vectors that are tried of each kind and size."""
MOST_SAMPLES: Final = 16
"""Products with this number and larger ones have zeros, with a sign or without, in many sums."""
ZEROS: Final = range(MOST_SAMPLES, MOST_SAMPLES + 8)
"""The numbers of such products."""
SPECIAL: Final = 4
"""Of so many products one has zeros and infinite numbers, or numbers that are very small."""
SIMPLE: Final = (-0.0, 0.0, 1.0, -1.0, 2.5)
"""Numbers of which many sums are zero."""
TINY: Final = 1e-200
"""Products of two numbers of this size are too small for any number: of them a zero is left, and its sign."""

Array = NDArray[np.float64]
MultiplyAndAdd = Callable[[float, float, float], float]
Item = Callable[[Any, int], float]
Adder = Callable[[int, Any, int, Any, int, int], float]
"""Adds up: the order, the left factor and the step between its items, the right one and its step, the number of products."""
Sizes = tuple[int, int, int]
"""Rows, columns, products in an element."""


def adder(
    multiply_and_add: MultiplyAndAdd, item: Item, compiled: Callable[[Adder], Adder] = lambda given: given
) -> Adder:
    """Return a function that adds up products in an order, for Python or for compiled code.

    Args:
        multiply_and_add: ``a * b + c``, rounded once.
        item: gives the item at a place of a factor.
        compiled: compiles a function.
    """
    makers = (_in_turn, _by_pairs, _by_halves)
    in_turn, by_pairs, by_halves = (compiled(make(multiply_and_add, item)) for make in makers)

    def total(order: int, left: Any, left_step: int, right: Any, right_step: int, size: int) -> float:
        if order <= TURNED:
            return in_turn(order, left, left_step, right, right_step, size)
        if order == HALVES:
            return by_halves(order, left, left_step, right, right_step, size)
        return by_pairs(order, left, left_step, right, right_step, size)

    return compiled(total)


def _in_turn(multiply_and_add: MultiplyAndAdd, item: Item) -> Adder:
    def total(order: int, left: Any, left_step: int, right: Any, right_step: int, size: int) -> float:
        found, begin = 0.0, 0
        if order == TURNED:
            found = item(left, left_step) * item(right, right_step)
            found, begin = multiply_and_add(item(left, 0), item(right, 0), found), 2
        for i in range(begin, size):
            a, b = item(left, i * left_step), item(right, i * right_step)
            found = found + a * b if order == PLAIN else multiply_and_add(a, b, found)
        return 0.0 + found if order == TURNED else found

    return total


def _by_pairs(multiply_and_add: MultiplyAndAdd, item: Item) -> Adder:
    def total(order: int, left: Any, left_step: int, right: Any, right_step: int, size: int) -> float:
        found = 0.0
        for i in range(0, size - 1, 2):
            a, b = item(left, i * left_step), item(right, i * right_step)
            second = item(left, (i + 1) * left_step) * item(right, (i + 1) * right_step)
            found += multiply_and_add(a, b, second) if order == PAIRS else a * b + second
        if size % 2:
            found += item(left, (size - 1) * left_step) * item(right, (size - 1) * right_step)
        return found

    return total


def _by_halves(_: MultiplyAndAdd, item: Item) -> Adder:
    def total(_: int, left: Any, left_step: int, right: Any, right_step: int, size: int) -> float:
        third, last = size - 2, size - 1  # of four
        first = item(left, 0) * item(right, 0) + item(left, third * left_step) * item(
            right, third * right_step
        )
        second = item(left, left_step) * item(right, right_step)
        return 0.0 + (first + (second + item(left, last * left_step) * item(right, last * right_step)))

    return total


def is_certain(total: float) -> bool:
    """Return whether a sum has one form of bits only: it is a number, and no zero with a sign, which some ways to add lose.

    Args:
        total: the sum.
    """
    return total > 0.0 or total < 0.0 or (total == 0.0 and math.copysign(1.0, total) > 0.0)


def explains(order: int, found: float, expected: float) -> bool:
    """Return whether a sum has the bits of the library's, or is one that kernels leave to it: what is not a number, and a zero that is fused.

    Whether that is given its sign, where products are too small for any number, depends on the order of the axes.

    Args:
        order: in which it was added up.
        found: the sum.
        expected: the library's.
    """
    if math.isnan(found) or (order in OF_ZEROS and not is_certain(found)):
        return True
    return found == expected and math.copysign(1.0, found) == math.copysign(1.0, expected)


def found_orders(library: ctypes.CDLL) -> bytearray:
    """Return the order of each kind of product and size, at `place_of`.

    Args:
        library: the C library, with a function that multiplies and adds and rounds once.
    """
    fma: Any = library["fma"]  # a function of its own, whose types nobody else sets
    fma.restype, fma.argtypes = ctypes.c_double, (ctypes.c_double,) * 3
    total = adder(fma, lambda numbers, place: numbers[place])
    rng = np.random.default_rng(0)
    found = bytearray(KINDS * MOST**3)
    few = range(2, MOST_OF_MATRICES + 1)
    for sizes in itertools.product(few, few, few):
        found[place_of(MATRICES, *sizes)] = _order(total, matrices_to_try(rng, sizes), OF_MATRICES)
    for rows, columns in itertools.product((1, *few), (1, *few)):
        found[place_of(MATRICES, rows, columns, 1)] = _order(
            total, matrices_to_try(rng, (rows, columns, 1)), (PLAIN,)
        )
    for kind, rows, inner in itertools.product(WITH_VECTORS, few, few):
        found[place_of(kind, rows, 1, inner)] = _order(total, vectors_to_try(rng, kind, rows, inner), ORDERS)
    for kind, inner in itertools.product((VECTORS, VECTOR_LOOPS), range(2, MOST + 1)):
        found[place_of(kind, 1, 1, inner)] = _order(total, _of_vectors(rng, kind, inner), ORDERS)
    for place, order in (*long_orders(fma).items(), *wide_orders(fma)):
        found[place] = order
    return found


def _order(
    total: Callable[..., float], products: Iterator[tuple[Array, Array, Array]], orders: tuple[int, ...]
) -> int:
    """The first order that gives the bits of all products; `UNKNOWN` if none does.

    Args:
        total: adds up products; of sums that are not certain (`explains`) the library is asked again.
        products: left factors and right ones as matrices, and what NumPy gives.
        orders: that are asked about.
    """
    with np.errstate(all="ignore"):
        cells = [
            (row, column, expected)
            for left, right, product in products
            for (row, column), expected in zip(
                itertools.product(left.tolist(), right.T.tolist()), product.ravel().tolist(), strict=True
            )
        ]
    for order in orders:
        if order == HALVES and len(cells[0][0]) != 4:
            continue
        found = ((total(order, row, 1, column, 1, len(row)), expected) for row, column, expected in cells)
        if all(explains(order, one, other) for one, other in found):
            return order
    return UNKNOWN


# -- products to try -------------------------------------------------------------------------------------


def matrices_to_try(rng: np.random.Generator, sizes: Sizes) -> Iterator[tuple[Array, Array, Array]]:
    """Yield products of matrices in all orders of the axes, at even and odd addresses, and parts of larger ones.

    A factor of one item may be a vector, too.

    Args:
        rng: gives the numbers.
        sizes: of the matrices.
    """
    rows, columns, inner = sizes
    turns = [*itertools.product((0, 1), (False, True), (False, True))]
    for sample, (shift, is_turned, is_right_turned) in [*enumerate(turns), *zip(ZEROS, turns, strict=True)]:
        left, right = _numbers(rng, rows, inner, columns, sample % SPECIAL if sample < SAMPLES else sample)
        if sample < SAMPLES:
            left[0], right[:, 0] = TINY * -np.abs(left[0]), TINY * np.abs(right[:, 0])
        left, right = _placed(left, is_turned, shift, shift), _placed(right, is_right_turned, shift, shift)
        yield left, right, left @ right
        if inner == columns == 1:
            yield left, right, left @ right[:, 0]
        if rows == inner == 1:
            yield left, right, left[0] @ right


def vectors_to_try(
    rng: np.random.Generator, kind: int, rows: int, inner: int
) -> Iterator[tuple[Array, Array, Array]]:
    """Yield products of a matrix and a vector, and of a vector and a matrix turned around; the vector may be a row or a column.

    Args:
        rng: gives the numbers.
        kind: of product.
        rows: of the matrix.
        inner: its columns.
    """
    for sample in (*range(SAMPLES), *ZEROS):
        left, right = _numbers(rng, rows, inner, 1, sample)
        spare = sample % 3 + 1 if kind in (ROWS, COLUMNS) else 0
        left = _placed(left, kind in (COLUMNS, DENSE_COLUMNS), sample // 2 % 2, spare)
        vector = _vector(right[:, 0], kind == LOOPS, sample // 4 % 2)
        column = vector[:, np.newaxis]
        yield left, column, (left @ vector if sample % 2 else vector @ left.T)
        yield left, column, (left @ column if sample % 2 else column.T @ left.T)


def _of_vectors(rng: np.random.Generator, kind: int, inner: int) -> Iterator[tuple[Array, Array, Array]]:
    """Yield products of two vectors."""
    for sample in (*range(SAMPLES + SPECIAL), *ZEROS):
        left, right = _numbers(rng, 1, inner, 1, sample)
        is_reversed = (
            [(True, False), (False, True), (True, True)][sample % 3]
            if kind == VECTOR_LOOPS
            else (False, False)
        )
        first = _vector(left[0], is_reversed[0], sample // 2 % 2)
        second = _vector(right[:, 0], is_reversed[1], sample // 4 % 2)
        row, column = first[np.newaxis], second[:, np.newaxis]
        yield row, column, np.array([first @ second])
        yield row, column, row @ (column if sample % 2 else second)


def _numbers(
    rng: np.random.Generator, rows: int, inner: int, columns: int, sample: int
) -> tuple[Array, Array]:
    """Random factors; in half of the products two almost cancel each other, so that each other order gives other bits.

    Args:
        rng: gives the numbers.
        rows: of the left one.
        inner: the number of products in an element.
        columns: of the right one.
        sample: which of the products: it says what numbers they have.
    """
    left, right = rng.normal(size=(rows, inner)), rng.normal(size=(inner, columns))
    if sample % (2 * SPECIAL) == 2 * SPECIAL - 1:
        return TINY * -np.abs(left), TINY * np.abs(right)
    if sample >= MOST_SAMPLES:
        return rng.choice(SIMPLE, left.shape), rng.choice(SIMPLE, right.shape)
    if sample % SPECIAL == SPECIAL - 1:
        left, right = (one * 10.0 ** rng.integers(-160, 160, one.shape) for one in (left, right))
        left[rng.random(left.shape) < 0.3] = -0.0
        right[rng.random(right.shape) < 0.3] = -0.0
        left[0, sample % inner] = np.inf
    elif sample % 2 == 0 and inner > 1:
        pairs = [*itertools.combinations(range(inner), 2)]
        one, other = pairs[sample // 2 % len(pairs)]
        right[other] = right[one]
        left[:, other] = -left[:, one] * (1 + 1e-13 * rng.normal(size=rows))
    return left, right


def _placed(matrix: Array, is_turned: bool, shift: int, spare: int) -> Array:
    """A matrix elsewhere in memory.

    Args:
        matrix: its items.
        is_turned: items of columns follow each other, and not those of rows.
        shift: the number of items before the first one: some libraries look at whether addresses are even multiples of an item's size.
        spare: the number of items after each row.
    """
    given = matrix.T if is_turned else matrix
    rows, columns = given.shape
    memory = np.zeros(shift + rows * (columns + spare))
    made = memory[shift:].reshape(rows, columns + spare)[:, :columns]
    made[...] = given
    return made.T if is_turned else made


def _vector(items: Array, is_reversed: bool, shift: int) -> Array:
    """A vector elsewhere in memory, which may run backwards."""
    given = items[::-1] if is_reversed else items
    made = _placed(given[np.newaxis], False, shift, 0)[0]
    return made[::-1] if is_reversed else made
