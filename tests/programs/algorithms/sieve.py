"""An algorithm: sieve."""

import numpy as np

def f(n):
    c = 0
    k = 2
    while k < n:
        p = True
        j = 2
        while j * j <= k:
            if k % j == 0:
                p = False
                break
            j += 1
        if p:
            c += 1
        k += 1
    return c

CALLS = [
    (np.int64(10),),
    (np.int64(30),),
]
