"""Integer arithmetic: int div carry."""

import numpy as np

def f(n):
    c = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        c = c + 1
    return c

CALLS = [
    (np.int64(6),),
    (np.int64(7),),
]

def noise(rng):
    return (np.int64(rng.integers(1, 60)),)
