"""`del` on one path only."""

import numpy as np

def f(s):
    t = s * 2
    if s > 0:
        del t
    return t

CALLS = [(np.float64(1.0),), (np.float64(-1.0),)]
