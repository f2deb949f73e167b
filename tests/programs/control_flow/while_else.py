"""`while … else` runs its `else` only when the loop was not left."""

import numpy as np

def f(s, limit):
    k = 0
    while k < limit:
        s = s * 2
        if s > 50:
            break
        k += 1
    else:
        s = -s
    return s, k

CALLS = [(np.float64(3.0), 3), (np.float64(3.0), 9), (np.float64(60.0), 0)]
