"""What a mask selects is as long as the data say: sums, means, other masks, values put back, and what does not fit."""

import numpy as np


def doubled(x):
    """Items that a mask selects are changed, in place and by values of the same mask."""
    large = x > 0.5
    x[large] = x[large] * 2.0 + x[large]
    x[x < 0] *= -1.0
    return x[large].sum()


def parts(x, w):
    chosen = x[w > 0]
    inner = chosen[chosen < 1.0]
    mean = chosen.mean() if chosen.size > 0 else -1.0
    return len(inner), mean, inner.sum(), (chosen > 0).sum(), np.sqrt(np.abs(chosen)).sum()


def rows(table, w):
    """Rows, masks of two dimensions, and numbers and rows for all places."""
    kept = table[w > 0]
    low = table[table < 0.5].sum()
    table[w < -0.5] = np.arange(table.shape[1])
    table[table > 2.0] = 2.0
    return kept.sum(axis=0), low


def places(x, order, starts, counts):
    """Slices of indices by an array of their starts."""
    sums = np.zeros(len(starts) - 1)
    for i in range(len(starts) - 1):
        links = order[starts[i] : starts[i + 1]]
        sums[i] = x[links].sum()
        np.add.at(counts, links, 1.0)
    return sums


def f(x, w, table, order, starts, counts, values):
    total = doubled(x)
    found = rows(table, w)
    sums = places(x, order, starts, counts)
    x[w > 0.5] = values
    return total, parts(x, w), found, sums


def made(size, values, *, last=None):
    rng = np.random.default_rng(size)
    w = np.linspace(-1.0, 1.0, size)
    order = rng.permutation(size)
    if last is not None:
        order[-1] = last
    starts = np.array([0, 0, size // 2, size])
    return rng.normal(size=size), w, rng.random((size, 3)), order, starts, np.zeros(size), np.array(values)


CALLS = [
    made(5, [7.0]),
    made(7, [7.0, 8.0]),
    made(7, [7.0]),
    made(7, [7.0, 8.0, 9.0]),
    made(6, 3.0),
    made(5, [7.0], last=-1),
    made(5, [7.0], last=5),
    (*made(5, [7.0])[:1], np.ones(4), *made(5, [7.0])[2:]),
    made(1, [7.0]),
]
