"""Other statements: partial call."""

import numpy as np

import functools
def h(k, v):
    if v > 0:
        return v * k
    return v
h3 = functools.partial(h, 3)
def f(s):
    return h3(s)

CALLS = [
    (np.float64(1.0),),
    (np.float64(-2.0),),
]
