"""Unpacking the wrong number of items raises Python's message."""

import numpy as np

def f(x):
    a, b, c = x
    return a + b + c

CALLS = [(np.array([1.0, 2.0, 3.0]),), (np.array([1.0, 2.0]),), (np.array([1.0, 2.0, 3.0, 4.0]),)]
