"""Calls and closures: recursion static."""

import numpy as np

def g(s, k):
    if k == 0:
        return s
    return g(s * 2, k - 1)
def f(s):
    return g(s, 3)

CALLS = [
    (np.float64(1.0),),
    (np.float64(2.0),),
]
