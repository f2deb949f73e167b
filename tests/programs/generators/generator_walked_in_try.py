"""A loop over a generator or `map` inside `try`: the handler sees what the last turns made of the names."""

import numpy as np


def halves(x, n):
    for i in range(n):
        yield x[i] / 2


def f(x, n, limit):
    total, last, row = 0.0, -1.0, x
    try:
        for v in halves(x, n):
            total = total + v
            if total > limit:
                raise ValueError(total)
            last = v
        for row in map(np.negative, x.reshape(-1, 2)):
            total += row[1]
            last = row[n]
        total = -total
    except (ValueError, IndexError) as error:
        return total, last, row, str(error)
    return total, last, row


CALLS = [(np.arange(4.0), 4, 10.0), (np.arange(4.0), 4, 1.0), (np.arange(4.0), 9, 10.0), (np.arange(4.0), 1, 9.0)]


def noise(rng):
    return rng.normal(size=4), int(rng.integers(0, 6)), float(rng.normal())
