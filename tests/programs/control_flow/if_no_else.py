"""A branch on a traced value: if no else."""

import numpy as np

def f(s):
    y = s + 1
    if s > 0:
        y = y * 10
    return y

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
