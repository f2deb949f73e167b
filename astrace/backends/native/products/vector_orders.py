"""In what order the library adds up products of a vector and a matrix of more rows or columns than a few: found out by trial.

Rows that come in fours have one order, and those behind them another one.  It knows no Numba.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from astrace.backends.native.products.row_orders import GROUP, Total, totals_of
from astrace.ops.lowered_products import (
    BEHIND_GROUPS,
    COLUMNS,
    FUSED,
    GROUPED,
    GROUPS,
    LANES,
    MOST_BESIDE,
    PLAIN,
    ROWS,
    TURNED_GROUPS,
    UNKNOWN,
)

ASKED: Final = (PLAIN, FUSED, LANES, GROUPS, TURNED_GROUPS)
"""The orders that are asked about."""
HEIGHTS: Final = (4, 6, 7, 9, 16, 35, MOST_BESIDE)
"""The numbers of rows that are tried."""
WIDTHS: Final = (*range(2, 22), 27, 31, 32, 33, 47, 63, MOST_BESIDE)
"""The numbers of columns."""

Array = NDArray[np.float64]
Cell = tuple[list[float], list[float], float]
"""A row, the vector, and their product."""


def vector_orders(library: ctypes.CDLL) -> Iterator[tuple[int, int]]:
    """Yield places and orders.

    Args:
        library: the C library, with a function that multiplies and adds and rounds once.
    """
    rng = np.random.default_rng(0)
    total = totals_of(library)
    for kind in (ROWS, COLUMNS):
        cells = [*_cells(rng, kind)]
        for is_behind, places in ((False, GROUPED), (True, BEHIND_GROUPS)):
            yield places[kind], _order(total, [cell for behind, cell in cells if behind is is_behind])


def _cells(rng: np.random.Generator, kind: int) -> Iterator[tuple[bool, Cell]]:
    """Yield elements of products, and whether their rows are behind those that come in fours."""
    for number, (rows, inner) in enumerate(itertools.product(HEIGHTS, WIDTHS)):
        matrix, vector = _factors(rng, rows, inner)
        found = _product(kind, matrix, vector, number)
        whole = rows // GROUP * GROUP
        for row in {0, whole - 1, min(whole, rows - 1), rows - 1}:
            yield row >= whole, (matrix[row].tolist(), vector.tolist(), float(found[row]))


def _order(total: Total, cells: list[Cell]) -> int:
    gives = (one for one in ASKED if all(total(one, left, right) == found for left, right, found in cells))
    return next(gives, UNKNOWN)


def _factors(rng: np.random.Generator, rows: int, inner: int) -> tuple[Array, Array]:
    """Factors of which products almost cancel each other in pairs, so that each other order gives other bits."""
    matrix, vector = rng.normal(size=(rows, inner)), rng.normal(size=inner)
    order = rng.permutation(inner)
    half = inner // 2
    one, other = order[:half], order[half : 2 * half]
    vector[other] = vector[one]
    matrix[:, other] = -matrix[:, one] * (1 + 1e-13 * rng.normal(size=(rows, half)))
    return matrix, vector


def _product(kind: int, matrix: Array, vector: Array, number: int) -> Array:
    """The library's product, of factors whose places in memory differ by a number."""
    rows, inner = matrix.shape
    spare, shift = number % 3, number // 3 % 2
    held = np.zeros((rows + spare, inner + spare), order="C" if kind == ROWS else "F")[:rows, :inner]
    held[...] = matrix
    memory = np.zeros(inner + shift)
    memory[shift:] = vector
    return held @ memory[shift:] if number % 2 else memory[shift:] @ held.T
