"""A branch on a traced value: if else."""

import numpy as np

def f(s):
    if s > 0:
        y = s * 2
    else:
        y = s - 1
    return y

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
