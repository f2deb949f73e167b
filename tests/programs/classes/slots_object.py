"""Instances with `__slots__`."""

import numpy as np

class Pair:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b

def f(s, n):
    p = Pair(s, 1)
    for _ in range(n):
        p.a = p.a * 2
        p.b += 1
    return p.a, p.b

CALLS = [(np.float64(1.0), 3), (np.float64(1.0), 0)]
