"""`*args` and `**kwargs` of the function itself."""

import numpy as np

def f(*args, scale=1.0, **kw):
    total = 0.0
    for a in args:
        total = total + a
    for k in sorted(kw):
        total = total + kw[k]
    return total * scale

CALLS = [(1.0, np.float64(2.0)), (), (3,)]
