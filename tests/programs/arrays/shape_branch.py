"""Shapes: shape branch."""

import numpy as np

def f(x):
    if x.shape[0] > 3:
        return np.sum(x)
    return np.sum(x) * 100

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]),),
    (np.array([1.0, 2.0]),),
]
