"""`return` out of two loops at once."""

import numpy as np

def f(m, target):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] == target:
                return i, j
            if m[i, j] > 100:
                break
    return None

CALLS = [(np.arange(6.0).reshape(2, 3), np.float64(4)), (np.arange(6.0).reshape(2, 3), np.float64(40)), (np.array([[200.0, 1.0], [1.0, 2.0]]), np.float64(2))]
