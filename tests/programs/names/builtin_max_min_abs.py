"""Builtins: builtin max min abs."""

import numpy as np

def f(s, t):
    return max(s, t) + min(s, t) * 10 + abs(s) * 100

CALLS = [
    (np.float64(1.0), np.float64(2.0),),
    (np.float64(3.0), np.float64(-4.0),),
]
