"""Names that may be unbound: del var."""

import numpy as np

def f(s):
    t = s * 2
    if s > 0:
        del t
        t = s * 5
    return t

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
