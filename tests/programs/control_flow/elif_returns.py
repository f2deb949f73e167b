"""Early returns in a chain of conditions."""

import numpy as np

def f(s):
    if s > 10:
        return "big"
    if s > 5:
        r = s
    elif s > 0:
        return s * 2
    else:
        r = -s
    if r > 7:
        return r, 1
    return r, 2

CALLS = [(np.float64(v),) for v in (20.0, 8.0, 6.0, 3.0, -1.0, -9.0)]
