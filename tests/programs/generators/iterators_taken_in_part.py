"""A generator of which something is left is a real one from the start."""

import numpy as np


def items(x):
    for v in x:
        yield v

def f(x, k):
    g = items(x)
    first = next(g)
    found = any(v > k for v in g)
    return first, found, list(g)

CALLS = [(np.arange(5.0), 2.0), (np.arange(5.0), 9.0), (np.zeros(1), 1.0)]
