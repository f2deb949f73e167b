"""Lambdas and nested functions bind late."""

import numpy as np

def f(s, n):
    k = 1
    add = lambda v: v + k
    def scale(v):
        return add(v) * k
    out = []
    for i in range(n):
        k = k + 1
        out.append(scale(s))
    k = 10
    return out, add(s), scale(s)

CALLS = [(np.float64(1.0), 3), (np.float64(1.0), 0), (2, 2)]
