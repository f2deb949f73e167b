"""Arrays whose size, or shape, follows from the number of the turn: ranges, reshapes, views, and arrays that grow."""

import numpy as np


def stages(x):
    n = len(x)
    y = x.copy()
    for stage in range(int(np.log2(n))):
        groups = 2**stage
        pairs = y.reshape(2, n // (2 * groups), groups)
        y = np.stack([pairs[0] + pairs[1], pairs[0] - pairs[1]], axis=1).reshape(n)
    return y


def halves(x):
    half = 1
    while half < len(x):
        blocks = x.reshape(-1, 2 * half)
        upper = blocks[:, :half].copy()
        blocks[:, :half] += blocks[:, half:]
        blocks[:, half:] = upper * 0.5
        half *= 2


def levels(low, high, count):
    table = np.zeros((count, count))
    width = high - low
    for i in range(count):
        if i > 0:
            width = width / 2
            points = low + width * np.arange(1, 2**i, 2)
            table[i, 0] = (points * points).sum()
        for j in range(1, i + 1):
            table[i, j] = table[i, j - 1] + (table[i, j - 1] - table[i - 1, j - 1]) / (4**j - 1)
    return table


def grown(count):
    order = np.zeros(1, dtype=np.int64)
    for bit in range(count):
        order = np.concatenate([order, order + (1 << bit)])
    return order


def parts(x, count):
    """Lists of arrays, each of another length."""
    tails, pairs = [], []
    for i in range(min(count, len(x))):
        tail = x[i:] * 2.0
        tails.append(tail - tail.mean())
        pairs.append((i, x[i], x[:i].sum()))
    return tails, pairs, len(tails)


def f(x, count):
    found = stages(x)
    halves(x)
    return found, levels(0.0, 1.0, count), grown(count), parts(x, count), len(x).bit_length()


CALLS = [
    (np.arange(8.0), 3),
    (np.arange(4.0), 1),
    (np.arange(1.0), 0),
    (np.arange(6.0), 2),
    (np.arange(16.0), 4),
    (np.arange(16, dtype=np.int64) * 1.5, 2),
]
