"""Augmented assignment of a name that may be unbound."""

import numpy as np

def f(s):
    if s > 0:
        t = s
    t += 1
    return t

CALLS = [(np.float64(1.0),), (np.float64(-1.0),)]
