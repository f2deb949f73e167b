"""Masks and index arrays, read and written, with duplicates."""

import numpy as np

def f(x, idx):
    y = x.copy()
    y[y < 0] = 0
    y[idx] += 1
    np.add.at(y, idx, 10)
    y[[0, -1]] = y[[-1, 0]]
    m = y > 1
    z = np.where(m, y, -y)
    z[m & (z < 5)] *= 2
    return y, z, y[m], y[idx]

CALLS = [(np.array([1.0, -2.0, 3.0]), np.array([0, 0, 2])), (np.array([5.0, 1.0]), np.array([1]))]
