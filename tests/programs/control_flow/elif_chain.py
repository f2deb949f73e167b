"""A branch on a traced value: elif chain."""

import numpy as np

def f(s):
    if s > 10:
        r = s - 10
    elif s > 5:
        r = s * 2
    elif s > 0:
        r = s * 3
    else:
        r = s * 0
    return r

CALLS = [
    (np.float64(20.0),),
    (np.float64(6.0),),
    (np.float64(2.0),),
    (np.float64(-1.0),),
]
