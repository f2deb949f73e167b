"""Lists made and changed in branches."""

import numpy as np

def f(s):
    a = [s, 1]
    if s > 0:
        b = a
        b.append(2)
    else:
        b = [s]
        a[0] = s - 1
    b.append(3)
    c = [s] * 2 + a[:1]
    return a, b, c

CALLS = [(np.float64(1.0),), (np.float64(-1.0),)]
