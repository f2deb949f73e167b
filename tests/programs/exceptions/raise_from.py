"""Exceptions with arguments, causes and classes of one's own."""

import numpy as np

class MyError(Exception):
    def __init__(self, code, v):
        super().__init__(f"code {code}")
        self.code = code

def f(s):
    if s > 10:
        raise MyError(3, s)
    if s > 5:
        raise KeyError("k") from None
    if s < 0:
        raise TypeError
    return s

CALLS = [(np.float64(v),) for v in (20.0, 6.0, -1.0, 1.0)]
