"""Other statements: chained assign."""

import numpy as np

def f(s):
    a = b = s * 2
    if a > 0:
        b = b + 1
    return a, b

CALLS = [
    (np.float64(1.0),),
    (np.float64(-2.0),),
]
