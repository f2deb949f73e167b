"""Outside state: global list changed."""

import numpy as np

KS = [1.0, 2.0]
def f(s):
    r = s
    for k in KS:
        r = r + k
    return r

CALLS = [
    (np.float64(3.0),),
    (np.float64(3.0),),
]
BEFORE = {1: 'KS.append(10.0)'}
