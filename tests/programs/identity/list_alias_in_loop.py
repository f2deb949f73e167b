"""Two names for one list, rebound in a loop."""

import numpy as np

def f(s, n):
    a = [s]
    b = a
    for i in range(n):
        a = [a[0] + i]
    a[0] = a[0] * 10
    return a, b, a is b

CALLS = [(np.float64(1.0), 2), (np.float64(1.0), 0)]
