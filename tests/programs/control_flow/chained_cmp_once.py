"""Logic in a condition: chained cmp once."""

import numpy as np

LOG = []
def g(v):
    LOG.append(1)
    return v
def f(s):
    r = s
    if 0 < g(s) < 5:
        r = s * 2
    return r

CALLS = [
    (np.float64(3.0),),
]
AFTER = 'len(LOG)'
