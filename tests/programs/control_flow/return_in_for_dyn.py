"""Leaving early: return in for dyn."""

import numpy as np

def f(x, n):
    for i in range(n):
        if x[i] < 0:
            return x[i] * i
    return x[0] * 100

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]), np.int64(4),),
    (np.array([1.0, -2.0, 3.0, 0.5]), np.int64(1),),
]
