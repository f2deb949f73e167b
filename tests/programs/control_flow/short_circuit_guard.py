"""Logic in a condition: short circuit guard."""

import numpy as np

def f(x, n):
    r = x[0]
    if n < 4 and x[n] > 0:
        r = r + 100
    return r

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]), np.int64(2),),
    (np.array([1.0, -2.0, 3.0, 0.5]), np.int64(9),),
]
