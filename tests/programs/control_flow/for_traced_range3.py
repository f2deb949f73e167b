"""A loop: for traced range3."""

import numpy as np

def f(s, a, b):
    for i in range(a, b, 2):
        s = s * 2 + i
    return s

CALLS = [
    (np.float64(1.0), np.int64(1), np.int64(6),),
    (np.float64(1.0), np.int64(0), np.int64(9),),
]
