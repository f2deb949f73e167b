"""`contextlib.contextmanager` with `try … finally`."""

import numpy as np

import contextlib

LOG = []

@contextlib.contextmanager
def scope(k):
    LOG.append("enter")
    try:
        yield k * 2
    finally:
        LOG.append("leave")

def f(s):
    total = s
    with scope(s) as v:
        total = total + v
        if v > 2:
            total = total * 10
    return total

CALLS = [(np.float64(2.0),), (np.float64(0.5),)]
AFTER = "LOG"
