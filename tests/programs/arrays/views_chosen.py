"""A name that stands for one of two parts of the same array, which is then read and written under it."""

import numpy as np


def sweeps(u, steps):
    for step in range(2 * steps):
        v = u.T if step % 2 else u
        before = v[0, 0]
        v[1:-1, 1:-1] = v[1:-1, 1:-1] * 0.5 + v[:-2, 1:-1] * 0.25
        v[0, -1] += before
        for i in range(1, len(v)):
            v[i, 0] = v[i - 1, 0] + step
    return u


def halves(x, first):
    part = x[:2] if first else x[2:4]
    part += 1.0
    part[0] = part[1] * 3.0
    whole = x[::-1] if x[0] > x[1] else x
    whole[0] = -1.0
    return part.sum(), whole[1]


def f(u, x, steps, limit):
    return sweeps(u, steps), halves(x, x.sum() > limit)


CALLS = [
    (np.arange(16.0).reshape(4, 4), np.arange(4.0), 2, 3.0),
    (np.arange(16.0).reshape(4, 4), np.arange(4.0), 1, 30.0),
    (np.arange(9.0).reshape(3, 3), np.arange(5.0)[::-1].copy(), 3, 3.0),
    (np.ones((1, 1)), np.arange(4.0), 0, 3.0),
    (np.arange(12.0).reshape(3, 4), np.arange(4.0), 1, 3.0),
    (np.arange(4.0).reshape(1, 4), np.arange(4.0), 1, 3.0),
    (np.arange(9.0).reshape(3, 3), np.arange(3.0), 1, 3.0),
]
