"""Logic in a condition: or cond."""

import numpy as np

def f(s, t):
    if s > 0 or t > 0:
        r = s * 1
    else:
        r = t * 10
    return r

CALLS = [
    (np.float64(1.0), np.float64(2.0),),
    (np.float64(-1.0), np.float64(-2.0),),
    (np.float64(-1.0), np.float64(2.0),),
]
