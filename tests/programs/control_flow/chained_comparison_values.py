"""Chains of comparisons give Python's values."""

import numpy as np

def f(a, b, c):
    return a < b < c, a < b > c, a == b != c, not a < b <= c

CALLS = [(np.float64(1.0), np.float64(2.0), 3), (3, np.int64(2), 1.5), (1, 1, 2)]
