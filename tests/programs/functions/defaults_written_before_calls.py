"""The defaults that a function was given are not those from before the call, once an opaque call may have changed them."""

import numpy as np


def scaled(a=1.0, b=2.0):
    return a * b


def bare(x):
    return x + 1


def f(x, n):
    bare.__defaults__ = (x[0],)
    for i in range(n):
        scaled.__defaults__ = (i, 5.0)
    return scaled(), bare()


PLAIN = "AT204"

CALLS = [(np.array([1.0, 2.0]), 3), (np.array([4.0]), 0), (np.array([2.0]), 1)]
BEFORE = {1: "bare.__defaults__ = None", 2: "scaled.__defaults__ = (1.0, 1.0)"}
