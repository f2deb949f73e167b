"""Leaving early: implicit none return."""

import numpy as np

def f(s):
    if s > 0:
        return s

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
