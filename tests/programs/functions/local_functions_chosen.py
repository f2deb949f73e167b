"""Lambdas chosen by traced values: each is traced in a branch of its own, none exists when the program runs."""

import numpy as np

def f(x, k, i):
    steps = [lambda v: v + 1, lambda v: v * 2]
    if k > 0:
        g = lambda v: v - 1
    else:
        g = lambda v: v / 2
    x = g(x)
    for step in steps:
        x = step(x)
    return steps[int(i)](x), g(x)

CALLS = [(np.arange(3.0), 1.0, np.int64(1)), (np.arange(3.0), -1.0, np.int64(0))]
