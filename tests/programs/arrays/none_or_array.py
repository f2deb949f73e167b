"""A name that is `None` on one path."""

import numpy as np

def f(x, s):
    y = None
    if s > 0:
        y = x * 2
    if y is not None:
        return y.sum()
    return y

CALLS = [(np.array([1.0, 2.0]), np.float64(1.0)), (np.array([1.0, 2.0]), np.float64(-1.0))]
