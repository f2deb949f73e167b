"""Leaving early: break for dyn."""

import numpy as np

def f(x, n):
    s = x[0] * 0
    for i in range(n):
        if x[i] < 0:
            break
        s = s + x[i]
    return s

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]), np.int64(3),),
    (np.array([-4.0, 2.0, -1.0, -0.5]), np.int64(2),),
]
