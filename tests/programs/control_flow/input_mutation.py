"""Arrays changed in place: input mutation."""

import numpy as np

def f(x):
    x[0] = 99.0
    return x[0] + x[1]

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]),),
    (np.array([-4.0, 2.0, -1.0, -0.5]),),
]
AFTER = '[float(v) for v in LAST[0]]'
