"""Leaving early: break for array."""

import numpy as np

def f(x):
    s = x[0] * 0
    for v in x:
        if v < 0:
            break
        s = s + v
    return s

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]),),
    (np.array([-4.0, 2.0, -1.0, -0.5]),),
]
