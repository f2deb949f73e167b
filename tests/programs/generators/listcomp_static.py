"""Python containers: listcomp static."""

import numpy as np

def f(x):
    ys = [x[i] * i for i in range(4)]
    return np.stack(ys)

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]),),
    (np.array([-4.0, 2.0, -1.0, -0.5]),),
]
