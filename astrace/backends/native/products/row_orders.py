"""In what order the library adds up products of up to eight rows and columns, where each row may have its own: found out by trial when asked.

`product_orders` finds out beforehand what machine code may ask for; this is what kernels ask for as they are written, whose sizes are known.
It knows no Numba.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.native.arithmetic.product_orders import (
    MOST_OF_MATRICES,
    OF_MATRICES,
    WITH_VECTORS,
    Array,
    MultiplyAndAdd,
    adder,
    explains,
    matrices_to_try,
    vectors_to_try,
)
from astrace.ops.lowered_products import (
    FUSED,
    GROUPS,
    HALVES,
    LANES,
    MATRICES,
    ORDERS,
    PLAIN,
    TURNED,
    TURNED_GROUPS,
    UNKNOWN,
    parts_of,
)

Total = Callable[[int, Sequence[float], Sequence[float]], float]
OF_ROWS: Final = (*(one for one in ORDERS if one != HALVES), LANES, GROUPS, TURNED_GROUPS)
"""What is asked about products with vectors."""
SEEDS: Final = range(5)
"""Of the numbers that are tried: a row alone has few of them."""
GROUP: Final = 4
"""The products that stand in one register, or that are added up together."""


def is_asked_later(place: int) -> bool:
    """Return whether an order that is not found beforehand may be found when asked.

    Args:
        place: of the order (`place_of`).
    """
    kind, rows, columns, inner = parts_of(place)
    if kind == MATRICES:
        return max(rows, columns, inner) > MOST_OF_MATRICES and min(rows, columns) > 1
    return kind in WITH_VECTORS and rows > 1


def later_order(library: ctypes.CDLL, place: int) -> int:
    """Return an order that is not found out beforehand.

    Args:
        library: the C library, with a function that multiplies and adds and rounds once.
        place: of the order; the column is the row's number where the product is one with a vector.
    """
    kind, rows, columns, inner = parts_of(place)
    if kind == MATRICES:
        return _of_matrices(library, rows, columns, inner)
    return _of_rows(library, kind, rows, inner)[columns - 1]


@functools.cache
def _of_matrices(library: ctypes.CDLL, rows: int, columns: int, inner: int) -> int:
    with np.errstate(all="ignore"):
        made = [
            one
            for seed in SEEDS
            for one in matrices_to_try(np.random.default_rng(seed), (rows, columns, inner))
        ]
    return _order(totals_of(library), made, slice(rows), (PLAIN,) if inner == 1 else OF_MATRICES)


@functools.cache
def _of_rows(library: ctypes.CDLL, kind: int, rows: int, inner: int) -> list[int]:
    """The order of each row: those that come in groups have one, and so have those behind them."""
    total, whole = totals_of(library), rows // GROUP * GROUP
    with np.errstate(all="ignore"):
        made = [
            one for seed in SEEDS for one in vectors_to_try(np.random.default_rng(seed), kind, rows, inner)
        ]
    first, rest = (_order(total, made, slice(*ends), OF_ROWS) for ends in ((0, whole), (whole, rows)))
    return [first] * whole + [rest] * (rows - whole)


def _order(
    total: Total, products: Sequence[tuple[Array, Array, Array]], rows: slice, orders: Sequence[int]
) -> int:
    """Return the first order that gives the bits of some rows of all products; `UNKNOWN` if none does."""
    cells = [
        (row, column, found)
        for left, right, product in products
        for (row, column), found in zip(
            itertools.product(left.tolist()[rows], right.T.tolist()),
            product.reshape(len(left), -1)[rows].ravel().tolist(),
            strict=True,
        )
    ]
    gives = (
        order for order in orders if all(explains(order, total(order, *cell[:2]), cell[2]) for cell in cells)
    )
    return next(gives, UNKNOWN)


# -- sums ------------------------------------------------------------------------------------------------


def totals_of(library: ctypes.CDLL) -> Total:
    """Return what adds up products in an order.

    Args:
        library: the C library, with a function that multiplies and adds and rounds once.
    """
    fma: Any = library["fma"]
    fma.restype, fma.argtypes = ctypes.c_double, (ctypes.c_double,) * 3
    add = adder(fma, lambda numbers, place: numbers[place])

    def total(order: int, left: Sequence[float], right: Sequence[float]) -> float:
        if order == LANES:
            return _by_lanes(fma, add, left, right)
        if order == GROUPS:
            return _by_groups(fma, left, right)
        if order == TURNED_GROUPS:
            return _by_turned_groups(add, left, right)
        return add(order, left, 1, right, 1, len(left))

    return total


def _by_lanes(
    fma: MultiplyAndAdd, add: Callable[..., float], left: Sequence[float], right: Sequence[float]
) -> float:
    size = len(left) // GROUP * GROUP
    lanes = [add(FUSED, left[at:size], GROUP, right[at:size], GROUP, size // GROUP) for at in range(GROUP)]
    total = 0.0 + ((lanes[0] + lanes[2]) + (lanes[1] + lanes[3]))
    if len(left) - size == 1:
        return fma(left[size], right[size], total)
    return (
        total + add(TURNED, left[size:], 1, right[size:], 1, len(left) - size) if len(left) > size else total
    )


def _by_groups(fma: MultiplyAndAdd, left: Sequence[float], right: Sequence[float]) -> float:
    total, size = 0.0, len(left)
    products = [a * b for a, b in zip(left, right, strict=True)]
    for at in range(0, size - GROUP + 1, GROUP):
        total += fma(left[at + 2], right[at + 2], products[at]) + fma(
            left[at + 3], right[at + 3], products[at + 1]
        )
    if size % GROUP >= 2:
        at = size // GROUP * GROUP
        total += products[at] + products[at + 1]
    return total + products[-1] if size % 2 else total


def _by_turned_groups(add: Callable[..., float], left: Sequence[float], right: Sequence[float]) -> float:
    total, at = 0.0, 0
    for size in (GROUP, 2):
        while len(left) - at >= size:
            total += add(TURNED, left[at : at + size], 1, right[at : at + size], 1, size)
            at += size
    return total + left[-1] * right[-1] if len(left) % 2 else total
