"""Calls and closures: helper with branch."""

import numpy as np

def relu(v):
    if v > 0:
        return v
    return v * 0
def f(s):
    return relu(s) + relu(-s) * 10

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
