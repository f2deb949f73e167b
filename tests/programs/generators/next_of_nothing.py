"""`next` of a generator expression that yields nothing."""

import numpy as np

def f(x):
    return next(v for v in x if v > 10)

CALLS = [(np.array([11.0, 2.0]),), (np.array([1.0]),)]
