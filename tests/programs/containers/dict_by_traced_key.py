"""A dict filled under traced keys."""

import numpy as np

def f(x):
    counts = {}
    for v in x:
        k = int(v)
        counts[k] = counts.get(k, 0) + 1
    return counts

CALLS = [(np.array([1.0, 2.0, 1.5]),), (np.array([]),)]

def noise(rng):
    return (rng.integers(0, 4, 6).astype(float),)
