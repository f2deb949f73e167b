"""Outside state: global scalar changed."""

import numpy as np

K = 2.0
def f(s):
    return s * K

CALLS = [
    (np.float64(3.0),),
    (np.float64(3.0),),
]
BEFORE = {1: 'K = 5.0'}
