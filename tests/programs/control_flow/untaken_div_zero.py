"""Effects: untaken div zero."""

import numpy as np

def f(n, m):
    r = n * 0
    if m != 0:
        r = n // m
    return r

CALLS = [
    (np.int64(7), np.int64(2),),
    (np.int64(7), np.int64(0),),
]
