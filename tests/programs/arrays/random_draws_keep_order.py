"""Draws from NumPy's global stream and from generators made here are opaque calls that leave globals alone."""

import numpy as np

RATE = 0.5


def f(x):
    np.random.seed(7)
    first = np.random.rand(2) * RATE
    rng = np.random.default_rng(3)
    for _ in range(3):
        x = x + rng.normal() * RATE + np.random.randint(0, 10)
    return x, first, rng.random()


CALLS = [(1.0,), (np.arange(2.0),)]
BEFORE = {1: "RATE = 2.0"}
