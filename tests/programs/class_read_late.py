"""A class that is read anew, after something that might have changed it, and then asked for."""

import numpy as np

def f(rng, k):
    x = rng.random(3)
    while k > 0:
        x += 1
        k -= 1
    kinds = (np.random.Generator, np.ndarray)
    return isinstance(rng, np.random.Generator), isinstance(x, kinds), issubclass(np.float64, np.floating), x

CALLS = [(np.random.default_rng(1), 2), (np.random.default_rng(2), 0)]

def noise(rng):
    return np.random.default_rng(int(rng.integers(5))), int(rng.integers(0, 4))
