"""Helpers that write into their arguments."""

import numpy as np

def fill(a, v):
    for i in range(len(a)):
        if a[i] < 0:
            a[i] = v
    return a

def f(x):
    y = x.copy()
    z = fill(y, 9.0)
    z[0] += 1
    fill(x[1:], 5.0)
    return y, z, x

CALLS = [(np.array([1.0, -2.0, -3.0]),), (np.array([-1.0]),)]
