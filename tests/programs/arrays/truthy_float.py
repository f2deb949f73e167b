"""Logic in a condition: truthy float."""

import numpy as np

def f(s):
    if s:
        r = s * 2
    else:
        r = s + 100
    return r

CALLS = [
    (np.float64(0.0),),
    (np.float64(3.0),),
]
