"""A branch on a traced value: nested if."""

import numpy as np

def f(s, t):
    r = s * 0
    if s > 0:
        if t > 0:
            r = s + t
        else:
            r = s - t
    else:
        r = t
    return r

CALLS = [
    (np.float64(1.0), np.float64(2.0),),
    (np.float64(1.0), np.float64(-2.0),),
    (np.float64(-1.0), np.float64(5.0),),
]
