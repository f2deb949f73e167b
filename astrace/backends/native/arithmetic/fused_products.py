"""How the library that NumPy calls for products of matrices adds up: found out by trial, once in each process.

Most such libraries (OpenBLAS, MKL, BLIS on processors that have the instruction) take the products of an element one after the other, each by
one operation that multiplies and adds and rounds once.  Which library it is, and what it does on this processor, can change from process to
process, so that nothing of it is kept on disk.  It knows no Numba.
"""

from __future__ import annotations

import ctypes
import itertools
import math
from typing import Any, Final, Literal

import numpy as np

LEAST: Final = 2
"""The least size of an axis: with one row or column, NumPy calls another function of the library."""
MOST: Final = 4
"""The largest size of an axis of what is multiplied element by element: the library is faster with five."""
_ALL: Final = range(LEAST, MOST + 1)
SIZES: Final = tuple(itertools.product(_ALL, _ALL, _ALL))
"""All sizes, each of which is tried: rows, products in an element, columns."""
LAYOUTS: Final[tuple[tuple[Literal["C", "F"], Literal["C", "F"]], ...]] = (
    ("C", "C"),
    ("C", "F"),
    ("F", "C"),
    ("F", "F"),
)
"""All orders of the axes of the factors: C's, or Fortran's where they are transposed."""
SHIFTS: Final = (0, 1)
"""The items that stand before the first one: some libraries look at whether addresses are even multiples of an item's size."""


def are_fused(library: ctypes.CDLL) -> bool:
    """Return whether products of small matrices of ``float64`` are computed by operations that round once, one after the other.

    What the library does depends on sizes, layouts and addresses, all of which are tried, and not on the numbers.

    Args:
        library: the C library, with a function that multiplies and adds so.
    """
    rng = np.random.default_rng(0)
    return all(is_fused(library, rng, *one) for one in itertools.product(SIZES, LAYOUTS, SHIFTS))


def is_fused(
    library: ctypes.CDLL,
    rng: np.random.Generator,
    sizes: tuple[int, int, int],
    layouts: tuple[Literal["C", "F"], Literal["C", "F"]],
    shift: int,
) -> bool:
    """Return whether NumPy gives such bits for one pair of random matrices.

    Args:
        library: the C library.
        rng: gives the matrices.
        sizes: rows, products in an element, columns.
        layouts: of the factors: in C's order of the axes or in Fortran's.
        shift: the number of items that stand before them.
    """
    fma: Any = library["fma"]  # a function of its own, whose types nobody else sets
    fma.restype, fma.argtypes = ctypes.c_double, (ctypes.c_double,) * 3
    rows, inner, columns = sizes
    left, right = (
        rng.normal(size=math.prod(shape) + shift)[shift:].reshape(shape, order=layout)
        for shape, layout in zip(((rows, inner), (inner, columns)), layouts, strict=True)
    )
    expected = np.zeros((rows, columns))
    for row, column, item in itertools.product(range(rows), range(columns), range(inner)):
        expected[row, column] = fma(left[row, item], right[item, column], expected[row, column])
    return expected.tobytes() == np.ascontiguousarray(left @ right).tobytes()
