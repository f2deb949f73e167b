"""Integer loops that fill an array."""

import numpy as np

def f(n):
    steps = np.zeros(n, dtype=np.int64)
    for i in range(1, n):
        k = i
        c = 0
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            c += 1
        steps[i] = c
    return steps

CALLS = [(10,), (1,), (np.int64(5),)]
