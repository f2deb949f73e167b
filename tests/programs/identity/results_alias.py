"""Results that share memory with arguments and each other."""

import numpy as np

def f(x):
    y = x * 2
    return x, x[1:], y, y[:2], y.T, (y, y)

CALLS = [(np.arange(4.0),)]
