"""A module, a class and a function are known after a branch on which opaque code ran: an array's shape can be set."""

import functools

import numpy as np


class Scaled:
    factor = 2.0


@functools.lru_cache
def noted(x):
    return x + 1.0


def doubled(x):
    return x * Scaled.factor


def f(x, data):
    first = doubled(np.array(data, dtype=float))
    if x > 0:
        x = noted(x)
    arr = np.array(data, dtype=float).reshape((2, -1))
    arr.shape = (-1, 2)
    return arr, x, doubled(first)


CALLS = [(1.0, [1, 2, 3, 4]), (-1.0, [1, 2, 3, 4]), (0.5, (4.0, 2.0))]
