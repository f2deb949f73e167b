"""Logic in a condition: and cond."""

import numpy as np

def f(s, t):
    if s > 0 and t > 0:
        r = s * 1
    else:
        r = t * 10
    return r

CALLS = [
    (np.float64(1.0), np.float64(2.0),),
    (np.float64(1.0), np.float64(-2.0),),
    (np.float64(-1.0), np.float64(2.0),),
]
