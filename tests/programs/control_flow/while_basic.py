"""A loop: while basic."""

import numpy as np

def f(s):
    k = 0
    while s < 100:
        s = s * 2
        k = k + 1
    return s, k

CALLS = [
    (np.float64(3.0),),
    (np.float64(200.0),),
    (np.float64(50.0),),
]

def noise(rng):
    return (np.float64(rng.choice([1e-3, 1.0, 99.5, 100.0, np.inf, np.nan, rng.uniform(0.1, 300.0)])),)
