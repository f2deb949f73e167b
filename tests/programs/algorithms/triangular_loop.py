"""A loop: triangular loop."""

import numpy as np

def f(s, n):
    for i in range(n):
        for j in range(i):
            s = s + j
    return s

CALLS = [
    (np.float64(1.0), np.int64(3),),
    (np.float64(1.0), np.int64(5),),
]
