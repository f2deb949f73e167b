"""Shapes: dyn zeros."""

import numpy as np

def f(n):
    z = np.zeros(n)
    return np.sum(z) + n

CALLS = [
    (np.int64(2),),
    (np.int64(3),),
]
