"""A loop: while basic."""

import numpy as np

def f(s):
    k = 0
    while s < 100:
        s = s * 2
        k = k + 1
    return s, k

CALLS = [
    (np.float64(3.0),),
    (np.float64(200.0),),
    (np.float64(50.0),),
]
