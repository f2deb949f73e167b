"""Shapes that depend on data."""

import numpy as np

def f(x, n):
    pos = x[x > 0]
    idx = np.nonzero(x)[0]
    z = np.zeros(n)
    u = np.unique(x)
    z[: len(pos)] = pos[:n]
    return pos.sum(), idx, z, u, x[n:], x[:n:2], np.arange(n), np.ones((n, 2))

CALLS = [(np.array([1.0, -2.0, 0.0, 1.0]), 3), (np.array([-1.0]), 1)]
