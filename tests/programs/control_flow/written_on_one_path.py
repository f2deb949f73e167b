"""A loop goes on with a new array or changes the one it has, which is an argument before the first turn."""

import numpy as np


def f(x, y):
    for i in range(len(x)):
        if x[i] > 1:
            y = y * 1.0
        else:
            y[i:] *= 0.5
    return x * 1.0


CALLS = [
    (np.array([0.0, 2.0, 0.0]), np.ones(3)),
    (np.array([2.0, 2.0, 0.0]), np.ones(3)),
    (np.array([]), np.ones(3)),
]
