"""Python containers: dict dispatch traced key."""

import numpy as np

def f(s, n):
    d = {0: s, 1: s * 2, 2: s * 3}
    return d[int(n)]

CALLS = [
    (np.float64(1.0), np.int64(1),),
    (np.float64(1.0), np.int64(2),),
]
