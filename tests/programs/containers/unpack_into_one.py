"""Unpacking into a single target, or all into a list, in loops and branches: one item is not the tuple of it."""

import numpy as np


def f(x, items, k):
    total = 0.0
    for _ in range(k):
        (first,) = x[:1]
        total = total + first
        *items, = items[::-1]
        items.append(total)
    if k > 1:
        [row] = x.reshape(1, -1)
        row += 1
    (last,) = items[-1:]
    return total, items, last, x


CALLS = [(np.arange(3.0), [1.0, 2.0], 2), (np.ones(2), [3.0], 0), (np.ones(0), [3.0], 1), (np.ones(0), [1.0, 2.0], 0)]
AFTER = "LAST"


def noise(rng):
    return rng.normal(size=3), [1.0, 2.0], int(rng.integers(0, 4))
