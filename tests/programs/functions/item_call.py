"""Builtins: item call."""

import numpy as np

def f(s):
    v = s.item()
    return s * v

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
