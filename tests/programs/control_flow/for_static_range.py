"""A loop: for static range."""

import numpy as np

def f(s):
    for i in range(3):
        s = s + i
    return s

CALLS = [
    (np.float64(1.0),),
    (np.float64(5.0),),
]
