"""A loop: for neg range."""

import numpy as np

def f(s, n):
    for i in range(n, 0, -1):
        s = s * 2 + i
    return s

CALLS = [
    (np.float64(1.0), np.int64(3),),
    (np.float64(1.0), np.int64(5),),
]
