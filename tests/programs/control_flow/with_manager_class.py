"""A context manager written in Python."""

import numpy as np

LOG = []

class Ctx:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        LOG.append("in")
        return self.v

    def __exit__(self, *exc):
        LOG.append("out")
        return False

def f(s):
    with Ctx(3) as a, Ctx(s) as b:
        r = a * b
    return r

CALLS = [(np.float64(2.0),), (5,)]
AFTER = "LOG"
