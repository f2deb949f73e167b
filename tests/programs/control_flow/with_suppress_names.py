"""A name that the body of a suppressing manager assigns may keep its old value: the function runs as plain Python."""

import contextlib

import numpy as np

PLAIN = "AT209"

def f(x, k):
    n = 0
    with contextlib.suppress(IndexError):
        n = 1
        x[k]
        n = 2
    return n

CALLS = [(np.arange(3.0), 1), (np.arange(3.0), 5)]
