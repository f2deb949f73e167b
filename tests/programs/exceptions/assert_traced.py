"""Exceptions: assert traced."""

import numpy as np

def f(s):
    assert s > 0, 'neg'
    return s * 2

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
