"""Builtins: bool call."""

import numpy as np

def f(s):
    if bool(s > 0):
        return s * 2
    return s

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
