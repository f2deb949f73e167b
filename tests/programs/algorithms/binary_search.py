"""An algorithm: binary search."""

import numpy as np

def f(x, s):
    lo = 0
    hi = len(x)
    while lo < hi:
        mid = (lo + hi) // 2
        if x[mid] < s:
            lo = mid + 1
        else:
            hi = mid
    return lo

CALLS = [
    (np.array([1.0, 2.0, 4.0, 8.0]), np.float64(3.0),),
    (np.array([1.0, 2.0, 4.0, 8.0]), np.float64(9.0),),
    (np.array([1.0, 2.0, 4.0, 8.0]), np.float64(0.0),),
]
