"""Assertions with and without messages."""

import numpy as np

def f(s, n):
    assert s > 0
    assert n != 3, f"bad n {n}"
    assert n < 10, ("big", n)
    return s * n

CALLS = [(np.float64(1.0), 2), (np.float64(-1.0), 2), (np.float64(1.0), 3), (np.float64(1.0), np.int64(12))]
