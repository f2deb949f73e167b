"""Leaving early: return in while."""

import numpy as np

def f(s):
    while s > 0:
        s = s - 3
        if s == 2:
            return s * 100
    return s

CALLS = [
    (np.float64(8.0),),
    (np.float64(7.0),),
]
