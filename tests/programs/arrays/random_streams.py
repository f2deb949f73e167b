"""Random numbers are drawn in order, once."""

import numpy as np

rng = np.random.default_rng(7)

def f(n):
    np.random.seed(3)
    a = np.random.rand(2)
    total = 0.0
    for i in range(n):
        if i % 2:
            total += rng.normal()
        else:
            total += np.random.uniform(0, 1)
    return a, total

CALLS = [(4,), (4,), (0,)]
