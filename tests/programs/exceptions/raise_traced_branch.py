"""Exceptions: raise traced branch."""

import numpy as np

def f(s):
    if s < 0:
        raise ValueError('neg')
    return s * 2

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
