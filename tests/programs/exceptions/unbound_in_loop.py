"""A name that only a loop binds."""

import numpy as np

def f(x, n):
    for i in range(n):
        last = x[i]
    return last, i

CALLS = [(np.array([1.0, 2.0]), 2), (np.array([1.0, 2.0]), 0)]
