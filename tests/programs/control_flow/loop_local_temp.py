"""Names that may be unbound: loop local temp."""

import numpy as np

def f(x, n):
    s = x[0] * 0
    for i in range(n):
        t = x[i] * 2
        s = s + t
    return s

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]), np.int64(2),),
    (np.array([1.0, -2.0, 3.0, 0.5]), np.int64(4),),
]
