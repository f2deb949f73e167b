"""Names that may be unbound: one branch var unbound."""

import numpy as np

def f(s):
    if s > 0:
        y = s * 2
    return y

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
