"""Whether the library adds up products of few rows and any number of columns, or the other way round, as those of few: found out by trial.

Two rows times long ones are what a rotation does.  Of a product with few sums an element depends on its row and its column alone, so that
columns which repeat make elements which repeat, for any number of them.  It knows no Numba.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from astrace.ops.lowered_products import FUSED, MOST_OF_OUTER, MOST_WIDE, TALL, UNKNOWN, WIDE, place_of

FEW: Final = range(2, MOST_OF_OUTER + 1)
"""The numbers of rows, and of products in an element, that are tried."""
SIZES: Final = (*range(2, 51), 63, 64, 65, 127, 130, 255, MOST_WIDE)
"""The numbers of columns that are tried."""
PERIOD: Final = 16
"""Columns that differ."""

Array = NDArray[np.float64]
MultiplyAndAdd = Callable[[float, float, float], float]


def wide_orders(multiply_and_add: MultiplyAndAdd) -> Iterator[tuple[int, int]]:
    """Yield the places of products that are wide or tall, by their few rows or columns, and the orders.

    Args:
        multiply_and_add: ``a * b + c``, rounded once.
    """
    rng = np.random.default_rng(0)
    for rows, inner in itertools.product(FEW, FEW):
        left, right = _factors(rng, rows, inner)
        expected = np.array(
            [[_total(multiply_and_add, *pair) for pair in _pairs(row, right)] for row in left]
        )
        for is_turned, place in (
            (False, place_of(WIDE, rows, 1, inner)),
            (True, place_of(TALL, rows, 1, inner)),
        ):
            is_fused = all(_agree(left, right, expected, size, is_turned) for size in SIZES)
            yield place, FUSED if is_fused else UNKNOWN


def _factors(rng: np.random.Generator, rows: int, inner: int) -> tuple[Array, Array]:
    """Factors of which most products almost cancel each other, so that each other order gives other bits."""
    left, right = rng.normal(size=(rows, inner)), rng.normal(size=(inner, PERIOD))
    for column in range(PERIOD):
        one, other = rng.choice(inner, 2, replace=False)
        right[other, column] = -left[0, one] * right[one, column] / left[0, other]
    left[1:] = left[0] * (1 + 1e-13 * rng.normal(size=(rows - 1, inner)))
    return left, right


def _pairs(row: Array, right: Array) -> Iterator[tuple[list[float], list[float]]]:
    return ((row.tolist(), column) for column in right.T.tolist())


def _total(multiply_and_add: MultiplyAndAdd, row: list[float], column: list[float]) -> float:
    total = 0.0
    for a, b in zip(row, column, strict=True):
        total = multiply_and_add(a, b, total)
    return total


def _agree(left: Array, right: Array, expected: Array, size: int, is_turned: bool) -> bool:
    """Return whether a product of so many columns, or rows, repeats those that are expected; where it lies in memory differs by the size."""
    repeated = np.resize(np.arange(PERIOD), size)
    spare = size // 4 % 3
    held = np.zeros((len(right), size + spare), order="F" if size // 2 % 2 else "C")[:, :size]
    held[...] = right[:, repeated]
    other = np.asarray(left, order="F" if size % 2 else "C")
    product = (held.T @ other.T).T if is_turned else other @ held
    return product.tobytes() == expected[:, repeated].tobytes()
