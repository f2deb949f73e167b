"""Shapes: dyn index."""

import numpy as np

def f(x, n):
    return x[n]

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]), np.int64(2),),
    (np.array([1.0, -2.0, 3.0, 0.5]), np.int64(3),),
]
