"""Exceptions: try finally."""

import numpy as np

def f(s):
    r = s
    try:
        r = r * 2
    finally:
        r = r + 1
    return r

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
