"""Branches that give different kinds of things."""

import numpy as np

def f(s, x):
    if s > 10:
        r = x
    elif s > 5:
        r = "text"
    elif s > 2:
        r = [s, 1]
    elif s > 1:
        r = (s, {"k": s})
    elif s > 0:
        r = np.sin
    else:
        r = None
    return r

CALLS = [(np.float64(v), np.arange(2.0)) for v in (20.0, 6.0, 3.0, 1.5, 0.5, -1.0)]
