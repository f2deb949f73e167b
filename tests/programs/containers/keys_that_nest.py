"""Keys that hold tuples and lists: each is an index of its own."""

import numpy as np


def f(x, idx, k):
    x[:2, (idx,)] += 1
    x[(idx,), -1] *= 2
    x[([0, k], [1, 1])] = 7.0
    rows = x[(0, k), :]
    return x[:2, (idx,)].shape, x[(idx,)], x[((idx,),)].shape, x[(0, 1), (k, 1)], rows, x[(slice(1),)], x[(None, k)]


CALLS = [(np.arange(12.0).reshape(3, 4), np.array([0, 1, 1]), 1), (np.ones((3, 3)), np.array([[2], [0]]), 2)]
AFTER = "LAST"


def noise(rng):
    return rng.normal(size=(3, 4)), rng.integers(0, 3, size=2), int(rng.integers(0, 3))
