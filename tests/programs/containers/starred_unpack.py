"""Other statements: starred unpack."""

import numpy as np

def f(x):
    a, *rest = x
    r = a
    for v in rest:
        r = r * 10 + v
    return r

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]),),
    (np.array([-4.0, 2.0, -1.0, -0.5]),),
]
