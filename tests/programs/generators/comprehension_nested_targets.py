"""Comprehensions that unpack their elements."""

import numpy as np

def f(x, y):
    pairs = [a * b + i for i, (a, b) in enumerate(zip(x, y))]
    table = {k: v.sum() for k, v in {"x": x, "y": y}.items()}
    first = next(v for v in x if v > 1)
    return pairs, table, first

CALLS = [(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])), (np.array([0.0, 7.0]), np.array([1.0, 1.0]))]
