"""Functions, bound methods and partials as values."""

import numpy as np

import functools

class T:
    def __init__(self, k):
        self.k = k

    def scale(self, v, plus=0):
        return v * self.k + plus

def f(s):
    t = T(3)
    g = t.scale
    h = functools.partial(t.scale, plus=10)
    table = {"g": g, "h": h, "sin": np.sin, "lam": lambda v: v - 1}
    out = []
    for name in ("g", "h", "sin", "lam"):
        out.append(table[name](s))
    pick = g if s > 0 else h
    return out, functools.reduce(lambda a, b: a * 2 + b, [s, 1, 2], 0)

CALLS = [(np.float64(2.0),), (-1.0,)]
PLAIN = "AT204"
