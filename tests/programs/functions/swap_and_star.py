"""Swaps, starred and nested targets."""

import numpy as np

def f(x, n):
    a, b = x[0], x[1]
    for _ in range(n):
        a, b = b, a + b
    first, *middle, last = x
    (p, (q, *r)), t = (a, (b, 1, 2)), last
    return a, b, first, middle, last, p, q, r, t

CALLS = [(np.array([1.0, 2.0, 3.0, 4.0]), 3), (np.array([1.0, 2.0]), 0), (np.array([1.0]), 1)]
