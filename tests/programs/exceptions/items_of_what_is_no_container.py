"""A number, or nothing, is asked for an item by a loop's number, in a branch that may not run."""

import numpy as np


def f(x, n, limit):
    scale = 3
    seen = None
    for i in range(n):
        if x[i] > limit:
            x[i] = scale[i] if limit else seen[i]
        x[i] += 1
    return x


CALLS = [
    (np.array([1.0, 2.0, 5.0]), 2, 3),
    (np.array([1.0, 2.0, 5.0]), 3, 3),
    (np.array([1.0, 2.0, 5.0]), 3, 0),
    (np.array([1.0, 2.0, 5.0]), 0, 0),
    (np.array([-1.0, -2.0]), 2, 0),
]
