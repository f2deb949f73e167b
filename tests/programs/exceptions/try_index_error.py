"""An index error decides which path is taken."""

import numpy as np

def f(x, i):
    try:
        r = x[i]
    except IndexError:
        r = -1.0
    return r

CALLS = [(np.array([1.0, 2.0]), 1), (np.array([1.0, 2.0]), 5), (np.array([1.0, 2.0]), np.int64(-9))]
