"""Calls and closures: lambda call."""

import numpy as np

def f(s):
    h = lambda v: v * 2 if v > 0 else v - 1
    return h(s)

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
