"""Names that may be unbound: loop var after."""

import numpy as np

def f(s, n):
    for i in range(n):
        s = s + 1
    return s * i

CALLS = [
    (np.float64(1.0), np.int64(3),),
    (np.float64(1.0), np.int64(5),),
]
