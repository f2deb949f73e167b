"""A loop over a Python list that a traced value ends."""

import numpy as np

def f(s):
    out = []
    for k in [1, 2, 3, 4]:
        if s * k > 5:
            break
        out.append(k)
    return out, k

CALLS = [(np.float64(2.0),), (np.float64(10.0),), (np.float64(0.0),)]
