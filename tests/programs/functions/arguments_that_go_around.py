"""What loops and branches carry may be an argument: it comes out as itself, and shows what is written to it."""

import numpy as np


def f(x, y, j):
    if j:
        return j, 1
    for i in range(len(x)):
        for _ in range(2):
            tail = x[1:]
            tail[:1] = i + 7
            x = np.sort(y)
    for i in range(j, len(y)):
        if y[i] > 3:
            y = y * 1.0
        else:
            y[i:] *= 0.5
    if y[0] > 0:
        if y[1] > 0:
            y = y * 2
    else:
        for _ in range(len(x) - 3):
            y = y % 3
    return x * 1.0, y


CALLS = [
    (np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 0.5]), 0),
    (np.array([3.0, 1.0, 2.0]), np.array([-1.0, 1.0, 0.5]), 0),
    (np.array([3.0, 1.0, 2.0, 5.0]), np.array([-1.0, 1.0, 0.5, 1.0]), 0),
    (np.array([3.0, 1.0]), np.array([1.0, -1.0]), 0),
    (np.array([3.0, 1.0]), np.array([1.0, -1.0]), 1),
    (np.array([3.0, 1.0]), np.array([4.0, 1.0, 5.0]), 0),
]
