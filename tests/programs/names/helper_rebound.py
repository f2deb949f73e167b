"""A helper that is rebound between calls."""

import numpy as np

def h(v):
    return v + 1

def f(s):
    return h(s)

CALLS = [(np.float64(1.0),), (np.float64(1.0),)]
BEFORE = {1: "h = lambda v: v * 100"}
