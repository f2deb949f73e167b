"""`zip(strict=True)` raises where lengths differ."""

import numpy as np

def f(x, y):
    total = 0.0
    for a, b in zip(x, y, strict=True):
        total += a * b
    return total

CALLS = [(np.array([1.0, 2.0]), np.array([3.0, 4.0])), (np.array([1.0, 2.0]), np.array([3.0]))]
