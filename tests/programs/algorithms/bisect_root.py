"""Root finding with early exits and a helper passed in."""

import numpy as np

def cube(v):
    return v * v * v - 2

def bisect(fn, lo, hi, tol=1e-6):
    for k in range(200):
        mid = (lo + hi) / 2
        if abs(fn(mid)) < tol:
            return mid, k
        if fn(lo) * fn(mid) < 0:
            hi = mid
        else:
            lo = mid
    raise RuntimeError("no root")

def f(lo, hi):
    return bisect(cube, lo, hi)

CALLS = [(0.0, 2.0), (np.float64(1.0), np.float64(1.5)), (5.0, 6.0)]
