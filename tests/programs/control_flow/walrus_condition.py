"""`:=` in short-circuit conditions."""

import numpy as np

def g(v):
    return v - 3

def f(x, s):
    if (n := len(x)) > 2 and (m := g(s)) < n:
        r = m + n
    else:
        r = n
    y = [w := s + 1, w * 2]
    return r, y

CALLS = [(np.array([1.0, 2.0, 3.0]), np.float64(4.0)), (np.array([1.0, 2.0, 3.0]), np.float64(40.0)), (np.array([1.0]), np.float64(4.0))]
