"""`return` inside `with` and after it."""

import numpy as np

def f(s):
    with np.errstate(divide="ignore"):
        if s == 0:
            return "zero"
        r = 1 / s
    return r

CALLS = [(np.float64(0.0),), (np.float64(4.0),)]
