"""A loop: for list of arrays."""

import numpy as np

def f(x, y):
    s = x * 0
    for a in [x, y]:
        s = s + a * 2
    return s

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]), np.array([-4.0, 2.0, -1.0, -0.5]),),
    (np.array([-4.0, 2.0, -1.0, -0.5]), np.array([-4.0, 2.0, -1.0, -0.5]),),
]
