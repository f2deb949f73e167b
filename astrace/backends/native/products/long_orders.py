"""In what order the library that NumPy calls adds up the products of two long vectors: found out by trial, as for few of them.

What is asked about are the ways of OpenBLAS, each of which is one loop for all sizes; so vectors of all sizes up to some are tried, and some
longer ones.  Those that the library does not take, since one runs backwards, NumPy adds up by a loop of its own.  It knows no Numba.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from astrace.ops.lowered_products import (
    APART,
    FUSED,
    FUSED_APART,
    LONG_LOOPS,
    LONG_STEPS,
    LONG_VECTORS,
    MOST,
    MOST_LONG,
    PLAIN,
    SIXTEENS,
    THIRTY_TWOS,
    UNKNOWN,
)

SIZES: Final = (*range(MOST + 1, 68), 95, 96, 97, 112, 127, 128, 255, 1000, MOST_LONG)
"""The sizes that are tried."""
SIZES_OF_STEPS: Final = (*range(1, 20), 63, 64, 65, 66, 67, 1000)
"""The same for vectors with steps."""
STEPS: Final = ((2, 1), (1, 3), (2, 2), (4, 5))
"""Their steps, in turn."""
BACKWARDS: Final = ((-1, 1), (1, -1), (-1, -1), (-2, 3), (0, 1))
"""The steps of vectors that the library does not take."""

Array = NDArray[np.float64]
MultiplyAndAdd = Callable[[float, float, float], float]
Sum = Callable[[MultiplyAndAdd, Sequence[float], Sequence[float]], float]


def long_orders(multiply_and_add: MultiplyAndAdd) -> dict[int, int]:
    """Return the order at each place; `UNKNOWN` where none gives the bits of all products.

    Args:
        multiply_and_add: ``a * b + c``, rounded once.
    """
    rng = np.random.default_rng(0)
    asked = (
        (LONG_VECTORS, SIZES, ((1, 1),), (SIXTEENS, THIRTY_TWOS)),
        (LONG_LOOPS, SIZES, BACKWARDS, (PLAIN,)),
        (LONG_STEPS, SIZES_OF_STEPS, STEPS, (APART, FUSED_APART)),
    )
    return {
        place: _order([*_products(rng, sizes, steps)], orders, multiply_and_add)
        for place, sizes, steps, orders in asked
    }


def _order(
    products: Sequence[tuple[Array, Array, float]], orders: Sequence[int], multiply_and_add: MultiplyAndAdd
) -> int:
    for order in orders:
        total = functools.partial(SUMS[order], multiply_and_add)
        if all(total(left.tolist(), right.tolist()) == found for left, right, found in products):
            return order
    return UNKNOWN


def _products(
    rng: np.random.Generator, sizes: Sequence[int], steps: Sequence[tuple[int, int]]
) -> Iterator[tuple[Array, Array, float]]:
    """Yield vectors in memory whose halves almost cancel each other, so that each other order gives other bits, and their products."""
    for number, size in enumerate(sizes):
        half = size // 2
        left, right = rng.normal(size=(2, size))
        right[half : 2 * half] = right[:half]
        left[half : 2 * half] = -left[:half] * (1 + 1e-13 * rng.normal(size=half))
        one, other = steps[number % len(steps)]
        left = _placed(left, one, number % 3)
        right = _placed(right, other, number // 3 % 2)
        yield left, right, float(left @ right)


def _placed(items: Array, step: int, shift: int) -> Array:
    """Items elsewhere in memory, with a step; with none they are one item."""
    if not step:
        return np.broadcast_to(items[:1], items.shape)
    memory = np.zeros(shift + len(items) * abs(step))
    made = memory[shift :: abs(step)][: len(items)][:: 1 if step > 0 else -1]
    made[...] = items
    return made


# -- sums ------------------------------------------------------------------------------------------------

GROUP: Final = 4
"""The sums that stand in one register."""


def _in_turn(_: MultiplyAndAdd, left: Sequence[float], right: Sequence[float]) -> float:
    return _rest(PLAIN, _, 0.0, left, right)


def _rest(
    order: int, multiply_and_add: MultiplyAndAdd, total: float, left: Sequence[float], right: Sequence[float]
) -> float:
    """Add products to a sum, one after the other."""
    for a, b in zip(left, right, strict=True):
        total = multiply_and_add(a, b, total) if order == FUSED else total + a * b
    return total


def _side_by_side(
    multiply_and_add: MultiplyAndAdd, totals: list[float], left: Sequence[float], right: Sequence[float]
) -> list[float]:
    """Add products to sums, as many at once."""
    for begin in range(0, len(left), len(totals)):
        pairs = zip(left[begin : begin + len(totals)], right[begin : begin + len(totals)], strict=True)
        totals = [multiply_and_add(a, b, total) for (a, b), total in zip(pairs, totals, strict=True)]
    return totals


def _by_sixteens(multiply_and_add: MultiplyAndAdd, left: Sequence[float], right: Sequence[float]) -> float:
    size = len(left) // 16 * 16
    totals = _side_by_side(multiply_and_add, [0.0] * 16, left[:size], right[:size])
    groups = [totals[at : at + GROUP] for at in range(0, 16, GROUP)]
    first, second, third, last = ((one[0] + one[2], one[1] + one[3]) for one in groups)
    pair = [(first[at] + second[at]) + (third[at] + last[at]) for at in (0, 1)]
    return _rest(PLAIN, multiply_and_add, pair[0] + pair[1], left[size:], right[size:])


def _by_thirty_twos(multiply_and_add: MultiplyAndAdd, left: Sequence[float], right: Sequence[float]) -> float:
    size, most = len(left) // 16 * 16, len(left) // 32 * 32
    totals = _side_by_side(multiply_and_add, [0.0] * 32, left[:most], right[:most])
    halves = [
        totals[at] + totals[at + GROUP] for begin in range(0, 32, 8) for at in range(begin, begin + GROUP)
    ]
    totals = _side_by_side(multiply_and_add, halves, left[most:size], right[most:size])
    four = [((totals[at] + totals[at + 4]) + totals[at + 8]) + totals[at + 12] for at in range(GROUP)]
    found = (four[0] + four[2]) + (four[1] + four[3])
    return _rest(FUSED, multiply_and_add, found, left[size:], right[size:])


def _apart(
    rest: int, multiply_and_add: MultiplyAndAdd, left: Sequence[float], right: Sequence[float]
) -> float:
    products = [a * b for a, b in zip(left, right, strict=True)]
    size = len(products) // 4 * 4
    total = other = 0.0
    for at in range(0, size, 4):
        total += products[at] + products[at + 2]
        other += products[at + 1] + products[at + 3]
    return _rest(rest, multiply_and_add, total, left[size:], right[size:]) + other


SUMS: Final[dict[int, Sum]] = {
    PLAIN: _in_turn,
    SIXTEENS: _by_sixteens,
    THIRTY_TWOS: _by_thirty_twos,
    APART: functools.partial(_apart, PLAIN),
    FUSED_APART: functools.partial(_apart, FUSED),
}
"""By order, what adds up."""
