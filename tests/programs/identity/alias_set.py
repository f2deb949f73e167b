"""Arrays changed in place: alias set."""

import numpy as np

def f(x):
    y = x * 1
    z = y
    z[0] = 9.0
    return y

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]),),
    (np.array([-4.0, 2.0, -1.0, -0.5]),),
]
