"""A loop: for array2d rows."""

import numpy as np

def f(x):
    s = x[0] * 0
    for row in x:
        s = s * 2 + row
    return s

CALLS = [
    (np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),),
    (np.array([[1.0, -2.0], [3.0, -4.0], [5.0, -6.0]]),),
]
