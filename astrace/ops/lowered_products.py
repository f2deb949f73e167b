"""Ops of lowered blocks for products of few numbers, which are added up one by one, and for what such products depend on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

UNKNOWN: Final = 0
"""None of those below: the library is called."""
PLAIN: Final = 1
"""One product after the other, each rounded, and each sum."""
FUSED: Final = 2
"""One after the other, each multiplied and added by one operation that rounds once."""
TURNED: Final = 3
"""The same, but that the second product comes before the first one."""
PAIRS: Final = 4
"""Two products after two others: the second one of them is rounded, the first one multiplied and added to it."""
PLAIN_PAIRS: Final = 5
"""Two products after two others, all rounded."""
HALVES: Final = 6
"""Of four, the first and the third one, and the others, all rounded."""
SIXTEENS: Final = 7
"""Sixteen sums side by side, fused; of their groups of four halves are added, then groups and neighbours; the rest in turn, rounded."""
THIRTY_TWOS: Final = 8
"""Thirty-two sums side by side, fused, whose halves by eight go on as the sixteen; of these groups are added in turn, then halves; the rest is fused."""
APART: Final = 9
"""Two sums, of each four products the first and third ones, and the others; the rest is added to the first sum; all rounded."""
FUSED_APART: Final = 10
"""The same where the rest is fused."""
LANES: Final = 11
"""Four sums side by side, fused, put together as halves are; two or three more come as one sum that is turned, one is fused."""
GROUPS: Final = 12
"""Of each four products, and of two more, the first one fused with the third, the second with the last; their sums, and one more, are rounded."""
TURNED_GROUPS: Final = 13
"""Of each four products, and of two more, a sum that is turned; these, and one more product, are added, rounded."""
OF_ZEROS: Final = frozenset({FUSED, LANES})
"""Orders in which the sign of a zero is not certain."""
ORDERS: Final = (PLAIN, FUSED, TURNED, PAIRS, PLAIN_PAIRS, HALVES)
MATRICES: Final = 0
"""Two matrices."""
ROWS: Final = 1
"""A matrix, in whose rows items follow each other, and a vector that lies in one piece."""
DENSE_ROWS: Final = 2
"""The same where rows follow each other, too."""
COLUMNS: Final = 3
"""A matrix, in whose columns items follow each other, and a vector that lies in one piece."""
DENSE_COLUMNS: Final = 4
"""The same where columns follow each other, too."""
VECTORS: Final = 5
"""Two vectors that lie in one piece, also as a row and a column."""
LOOPS: Final = 6
"""A matrix and a vector that the library does not take, as one that runs backwards: NumPy multiplies them by loops of its own."""
VECTOR_LOOPS: Final = 7
"""Two such vectors."""
WIDE: Final = 8
"""Two matrices of few rows and any number of columns."""
TALL: Final = 9
"""Two matrices of few columns and any number of rows."""
KINDS: Final = 10
"""The number of kinds of products."""
MOST_ALIKE: Final = 4
"""The largest size of matrices beside vectors whose rows are all added up in one order."""
MOST: Final = 8
"""The largest size of an axis that has a place in what is found out."""


def place_of(kind: int, rows: int, columns: int, inner: int) -> int:
    """Return where the order of a product stands in what `found_orders` gives.

    Args:
        kind: of product.
        rows: of the product; one for vectors.
        columns: of the product; one for vectors, or the number of the row, counted from one, where each may have its own order.
        inner: the number of products in an element.
    """
    return ((kind * MOST + rows - 1) * MOST + columns - 1) * MOST + inner - 1


def parts_of(place: int) -> tuple[int, int, int, int]:
    """Return what `place_of` was given.

    Args:
        place: in what `found_orders` gives.
    """
    rest, inner = divmod(place, MOST)
    rest, columns = divmod(rest, MOST)
    kind, rows = divmod(rest, MOST)
    return kind, rows + 1, columns + 1, inner + 1


LONG_VECTORS: Final = place_of(VECTORS, 2, 1, 1)
"""Where the order stands in which two vectors of more than `MOST` items are added up that lie in one piece."""
LONG_LOOPS: Final = place_of(VECTOR_LOOPS, 2, 1, 1)
"""The same for vectors that the library does not take."""
LONG_STEPS: Final = place_of(VECTORS, 2, 1, 2)
"""The same for vectors of any size with steps, of which at least one is not that of neighbours."""
MOST_BESIDE: Final = 64
"""The largest number of rows and columns of a matrix beside a vector for which one order stands."""
FEWEST_BESIDE: Final = 4
"""The smallest number of its rows."""
GROUPED: Final[Mapping[int, int]] = {kind: place_of(kind, 1, 1, 1) for kind in (ROWS, COLUMNS)}
"""By kind of product of a matrix and a vector, where the order stands of rows that come in fours."""
BEHIND_GROUPS: Final[Mapping[int, int]] = {kind: place_of(kind, 1, 1, 2) for kind in (ROWS, COLUMNS)}
"""The same for rows behind them."""
MOST_OF_OUTER: Final = 6
"""The largest number of rows or columns, and of products in an element, of matrices that may have many columns or rows."""
MOST_WIDE: Final = 512
"""The largest number of columns, or rows, of products whose other sizes are few."""
MOST_LONG: Final = 4096
"""The largest number of items of such vectors."""


def multiply_and_add(a: float, b: float, c: float) -> float:
    """``a * b + c``, rounded once."""
    if not all(map(math.isfinite, (a, b, c))):
        return float(a) * float(b) + float(c)
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    if not exact:
        return float(a) * float(b) + float(c)  # of zeros, the sign
    try:
        return math.copysign(float(exact), exact)
    except OverflowError:
        return math.copysign(math.inf, exact)


def has_one_form(total: float) -> bool:
    """Tell whether a sum of products has the same bits however zeros are added to it: it is a number, and no zero with a sign."""
    return total > 0.0 or total < 0.0 or (total == 0.0 and math.copysign(1.0, total) > 0.0)


def lies_in_rows(array: Any) -> bool:
    """Tell whether an array lies in memory as one that NumPy makes: its items follow each other as in C."""
    distance = array.itemsize
    for axis in range(array.ndim - 1, -1, -1):
        if array.strides[axis] != distance:
            return False
        distance *= array.shape[axis]
    return True


PRODUCTS: Final[Mapping[str, Callable[..., Any]]] = {
    function.__name__: function for function in (multiply_and_add, has_one_form, lies_in_rows)
}
"""The ops, which are written as calls of a function of their name, and what they do."""
