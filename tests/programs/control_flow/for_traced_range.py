"""A loop: for traced range."""

import numpy as np

def f(s, n):
    for i in range(n):
        s = s + i
    return s

CALLS = [
    (np.float64(1.0), np.int64(3),),
    (np.float64(1.0), np.int64(6),),
    (np.float64(1.0), np.int64(0),),
]
