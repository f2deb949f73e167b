"""Array statements that follow each other, which kernels run together: each function with its calls.

Arrays are smaller than a tile, as large as some, and have a last tile that is not full; some share memory, or have other sizes.
"""

import numpy as np
from chain_programs import both, overlapping
from loop_programs import floats
from registry import registry

PROGRAMS, called_with = registry()


def pairs(*sizes):
    """Calls with two arrays each, and with arrays that are one, overlap or differ in size."""
    apart = [lambda size=size: (floats(size), floats(size) * 0.5) for size in sizes]
    others = (lambda: both(floats(9)), lambda: overlapping(9), lambda: (floats(9), floats(8)))
    return (*apart, *others, lambda: (floats(9)[::-1], floats(9)), lambda: (floats(18)[::2], floats(9)))


SIZES = (9, 4, 8, 1, 0, 1030)


@called_with(*pairs(*SIZES))
def moved_on_in_place(a, b):
    """Names are used several times; two arguments are changed, and one array is made."""
    total = np.zeros_like(a)
    for _ in range(3):
        most = 6.1 * np.exp(-np.abs(a) / (np.abs(b) + 29.0))
        slope = most * 17.0 / (a - 29.65) ** 2
        excess = np.maximum((b - most) / (1.0 + slope), 0.0)
        b -= excess
        a += 2.5 * excess
        total += excess
    return total


@called_with(*pairs(*SIZES))
def read_beside(a, b):
    """The items of one statement are read by the next at other places: they have to be there before."""
    grown = np.exp(-np.abs(a)) + b[: len(a)]
    a[1:] = grown[:-1] * 0.5
    a[:1] = grown[-1:]
    slope = grown[::-1] - np.sqrt(np.abs(grown))
    return slope * a, grown


@called_with(*pairs(*SIZES))
def written_between(a, b):
    """An array is changed between two statements that read it."""
    first = np.sin(a) * b
    a *= 0.5
    second = np.sin(a) * b
    a[...] = first - second
    return first, second, a + b


@called_with(
    *pairs(9, 1030), lambda: (np.zeros(9), floats(9)), lambda: (np.full(9, 800.0), np.full(9, np.inf))
)
def warns_in_the_middle(a, b):
    """What divides by zero and overflows is read by ``np.maximum`` and ``np.where`` alone."""
    ratio = b / a
    kept = np.maximum(ratio, 0.25)
    grown = np.exp(a)
    chosen = np.where(grown > 2.0, kept, a * grown)
    return np.minimum(chosen, 1.0) + kept, np.where(a > 0.5, 1.0 / a, 0.0)


@called_with(
    *pairs(9, 1030), lambda: (floats(9).astype("f4"), floats(9)), lambda: (floats(9).astype("f4"),) * 2
)
def in_several_dtypes(a, b):
    """Integers, truth values, single and double precision between the statements."""
    mask = a > b
    count = mask * 3
    single = a.astype(np.float32)
    grown = np.cos(single) * count
    single += 1.0
    return grown - single, np.where(mask, count, 7), mask


@called_with(
    lambda: (floats(7, 3), floats(3), 0.5),
    lambda: (floats(1, 9), floats(9), 0.5),
    lambda: (floats(0, 3), floats(3), 0.5),
    lambda: (floats(3, 0), floats(0), 0.5),
    lambda: (floats(40, 30), floats(30), -0.0),
    lambda: (floats(3, 7).T, floats(3), 0.5),
    lambda: (floats(7, 6)[:, ::2], floats(3), 0.5),
    lambda: (floats(7, 3), floats(4), 0.5),
)
def rows_of_a_matrix(m, b, s):
    """Statements over two axes, of which one array has the last one alone."""
    moved = m - b
    spread = np.exp(-moved * moved)
    m += s * spread
    weight = spread / (1.0 + np.abs(m))
    return weight.sum(), weight, np.tanh(moved) * b


@called_with(*pairs(9, 1030))
def counts_and_takes(a, b):
    """Items that others name, beside statements on all items."""
    places = np.arange(len(a)) // 2
    grown = np.exp(-np.abs(a))
    taken = grown[places] + b[places]
    grown[places] = taken
    return grown, taken * grown, np.sqrt(np.abs(grown)).sum()


@called_with(
    lambda: (floats(9), np.zeros(9)),
    *pairs(9, 1030),
    lambda: (floats(9), np.array([0.0, 0, 0, 0, 0, 0, 0, 0, -1e300])),
)
def gives_up_late(a, b):
    """What is written has to be put back: NumPy warns of the last element."""
    a += np.exp(b)
    b *= 1e200
    a -= b * 1e200
    return a + b


@called_with(*pairs(9, 4))
def ends_in_another_order(a, b):
    """A loop turns the axes of what it has made: sums add up in another order then."""
    m = np.exp(-np.abs(np.outer(a, b[: len(a)])))
    for _ in range(3):
        m = m.T + 0.0
    return m.sum(axis=0), m


@called_with(
    *(
        lambda n=n, k=k: (floats(6), floats(20), np.array([n, k]))
        for n, k in ((9, 9), (9, 5), (5, 9), (5, 1), (0, 0))
    )
)
def of_equal_sizes_later(a, b, counts):
    """That two sizes are equal is tested behind statements over each of them, which stand in front of a group over a third one."""
    n, k = counts[0], counts[1]
    grown = np.exp(-a)
    first = b[:n] * 2.0
    second = b[:k] * 3.0
    turned = second[::-1] * 1.5
    both_ways = turned * turned + second
    total = first + second
    return grown * a + grown, total * total + first * first, both_ways


def columns(*shapes):
    """Calls with fields over columns, which have one level more than is written, and some with one axis or memory that is shared."""
    for shape in shapes:
        yield lambda shape=shape: (floats(*shape), floats(*shape) * 0.5, floats(*shape) + 2.0)
    yield lambda: (np.asfortranarray(floats(3, 4, 5)), floats(3, 4, 5) * 0.5, floats(3, 4, 5) + 2.0)
    yield lambda: (floats(3, 4, 5), floats(3, 4, 10)[:, :, ::2], floats(3, 4, 5) + 2.0)
    yield lambda: ((one := floats(3, 4, 5)), one, floats(3, 4, 5) + 2.0)
    yield lambda: ((wide := floats(3, 4, 6))[:, :, :-1], wide[:, :, 1:], floats(3, 4, 5) + 2.0)
    yield lambda: (floats(3, 4, 5), floats(3, 4, 5) * 0.5, floats(3, 4, 5) * 0.0)


@called_with(*columns((3, 4, 5), (1, 1, 3), (2, 1, 2), (0, 4, 5), (3, 4, 1), (40, 30, 6)))
def eliminates_along_columns(upper, right, weight):
    """Names of one level are used by several statements, of which only the last ones write fields."""
    for k in range(1, upper.shape[2]):
        above = 0.25 * (weight[:, :, k] + weight[:, :, k - 1])
        below = -0.25 * weight[:, :, k]
        lower, higher = above * 0.1, below * 0.1
        upper[:, :, k] = below * 0.9
        middle = 2.0 - lower - upper[:, :, k]
        moved = lower * (right[:, :, k - 1] - right[:, :, k]) + higher * right[:, :, k]
        factor = 1.0 / (middle - upper[:, :, k - 1] * lower)
        upper[:, :, k] = upper[:, :, k] * factor
        right[:, :, k] = (right[:, :, k] + moved - right[:, :, k - 1] * lower) * factor
