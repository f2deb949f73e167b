"""A Python list as a stack of pending work."""

import numpy as np

def f(a, b, tol):
    stack = [(a, b)]
    total = 0.0
    while stack:
        lo, hi = stack.pop()
        mid = (lo + hi) / 2
        if hi - lo < tol:
            total += mid * (hi - lo)
        else:
            stack.append((lo, mid))
            stack.append((mid, hi))
    return total

CALLS = [(0.0, 1.0, 0.3), (np.float64(0.0), np.float64(2.0), 0.5)]

def noise(rng):
    return (float(rng.uniform(0, 1)), float(rng.uniform(1, 2)), float(rng.uniform(0.2, 1)))
