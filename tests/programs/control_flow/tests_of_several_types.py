"""Tests whose parts are numbers, arrays and truth values: what is tested is the last one that was looked at."""

import numpy as np

def countdown(x, n):
    while n and x.sum() > 2:
        x, n = x - 0.5, n - 1
    return x, n

def either(x, n, low):
    found = []
    for i in range(n):
        if low or x[i] > 1 or (i and not x[i]):
            found.append(i)
        if not (n - i and x[i]):
            found.append(-i)
    return found

def kept(x, n):
    chosen = n and x[0]
    other = x[0] and (n or "none")
    return (chosen, other) if n or x[0] else other

def f(x, n, low):
    return countdown(x, n), either(x, n, low), kept(x, n)

CALLS = [
    (np.array([3.0, 0.0, 2.0]), 3, 0), (np.array([0.0, 1.5]), 0, 0.0), (np.array([0.0, 1.5]), 2, 0.5), (np.array([1, 5, 0]), 3, False),
]
