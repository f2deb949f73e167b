"""Leaving early: break while."""

import numpy as np

def f(s):
    k = 0
    while k < 10:
        s = s * 2
        if s > 20:
            break
        k = k + 1
    return s, k

CALLS = [
    (np.float64(3.0),),
    (np.float64(0.0),),
]
