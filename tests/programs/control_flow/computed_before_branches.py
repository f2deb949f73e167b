"""What was computed before a branch or a loop is used in it, unless something it was computed from has changed."""

import numpy as np


def f(x, limit, turns):
    y = x * 2.0
    if np.sqrt((y * y).sum()) > limit:
        y = y / np.sqrt((y * y).sum())
    z = y + 1.0
    total = (z * z).sum()
    for turn in range(turns):
        if total > limit:
            z[0] = limit  # from here on it is another sum
            total = (z * z).sum() + turn
        else:
            total = total + (y * y).sum()
    while total > limit and turns > 0:
        turns -= 1
        total = total / 2 - abs((y * y).sum())
    return y, z, total


CALLS = [
    (np.array([1.0, 2.0]), 1.0, 3),
    (np.array([0.1, -0.2]), 1.0, 2),
    (np.array([0.1, -0.2]), 9.0, 2),
    (np.array([np.nan, 2.0]), 1.0, 1),
    (np.array([3.0]), 2.0, 0),
]
