"""Outside state: global dict changed."""

import numpy as np

KS = {'k': 1.0}
def f(s):
    return s * KS['k']

CALLS = [
    (np.float64(3.0),),
    (np.float64(3.0),),
]
BEFORE = {1: "KS['k'] = 7.0"}
