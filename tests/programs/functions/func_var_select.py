"""Calls and closures: func var select."""

import numpy as np

def a(v):
    return v + 1
def b(v):
    return v * 10
def f(s):
    if s > 0:
        g = a
    else:
        g = b
    return g(s)

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
