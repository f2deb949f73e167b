"""A carried value that changes its type keeps Python's answer, for zero trips too."""

import numpy as np

def f(s):
    k = 1
    while k < s:
        k = k * 1.5
    return k

CALLS = [(np.float64(5.0),), (np.float64(0.0),), (7,)]
