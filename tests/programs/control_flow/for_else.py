"""`for … else` with a `break` on a traced value."""

import numpy as np

def f(x):
    for v in x:
        if v < 0:
            r = v
            break
    else:
        r = 100.0
    return r

CALLS = [(np.array([1.0, -2.0, 3.0]),), (np.array([1.0, 2.0]),), (np.array([]),)]
