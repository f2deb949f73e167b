"""A branch on a traced value: ternary."""

import numpy as np

def f(s):
    return s * 2 if s > 0 else s - 1

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
