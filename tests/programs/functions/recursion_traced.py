"""Recursion whose end depends on a traced value."""

import numpy as np

def fact(n):
    if n <= 1:
        return n * 0 + 1
    return n * fact(n - 1)

def f(n):
    return fact(n)

CALLS = [(np.int64(5),), (np.int64(0),)]
PLAIN = "AT203"

def noise(rng):
    return (np.int64(rng.integers(0, 8)),)
