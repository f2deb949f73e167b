"""State carried by a loop: carry list elem."""

import numpy as np

def f(s, n):
    d = [s, s + 1]
    for i in range(n):
        d[0] = d[0] + d[1]
    return d[0]

CALLS = [
    (np.float64(1.0), np.int64(3),),
    (np.float64(1.0), np.int64(4),),
]
