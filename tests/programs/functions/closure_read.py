"""Calls and closures: closure read."""

import numpy as np

def make(k):
    def h(s):
        if s > 0:
            return s * k
        return s
    return h
f = make(3)

CALLS = [
    (np.float64(2.0),),
    (np.float64(-2.0),),
]
