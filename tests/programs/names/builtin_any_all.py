"""Builtins: builtin any all."""

import numpy as np

def f(x):
    r = x[0] * 0
    if any(x > 2):
        r = r + 1
    if all(x > -3):
        r = r + 10
    return r

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]),),
    (np.array([-4.0, 2.0, -1.0, -0.5]),),
]
