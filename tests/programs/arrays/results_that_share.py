"""Results that are one of the arguments, or share memory with one: a write into them shows in it."""

import numpy as np


def written(x, result):
    before = x.sum()
    result[...] = 9.0
    return before, x.sum()


def f(x, y):
    first = written(x, max(x[:1], y[:1]))
    rows = list(x.reshape(2, 2))
    second = written(x, rows[1])
    third = written(x, np.array(x, copy=None)), written(x, np.diff(x, 0)), written(x, np.polyder(x, 0))
    x[:] = y
    fourth = written(x, np.linalg.matrix_power(x.reshape(2, 2), 1))
    x[:] = y
    grids = np.meshgrid(x, y, copy=False)
    fifth = written(x, grids[0][0]), written(x, np.float64(x[1:]))
    x[:] = y
    edges = np.histogram(y, bins=x)[1]
    sixth = written(x, edges)
    sums = x + y
    written(sums, sums[::-1])
    return first, second, third, fourth, fifth, sixth, np.sum(x), sums


CALLS = [
    (np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.5, 1.0, 1.5, 2.5])),
    (np.array([0.0, 2.0, 3.0, 4.0]), np.array([0.5, 1.0, 1.5, 2.5])),
]
AFTER = "LAST"


def noise(rng):
    return rng.normal(size=4), np.sort(rng.normal(size=4))
