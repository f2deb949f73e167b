"""An algorithm: power iter."""

import numpy as np

def f(x, n):
    v = x * 0 + 1.0
    for _ in range(n):
        v = v * x
        m = np.sum(v)
        if m > 100:
            v = v / m
    return np.sum(v)

CALLS = [
    (np.array([1.0, 2.0, 3.0, 0.5]), np.int64(3),),
    (np.array([1.0, 2.0, 3.0, 0.5]), np.int64(10),),
]
