"""`continue` in nested loops and branches."""

import numpy as np

def f(x, n):
    total = 0.0
    for i in range(n):
        if i % 2 == 0:
            if x[i % 3] < 0:
                continue
            total += 1
        for j in range(i):
            if j == 2:
                continue
            if j > 4:
                break
            total += x[j % 3]
        total *= 0.5
    return total

CALLS = [(np.array([1.0, -2.0, 3.0]), 7), (np.array([-1.0, 2.0, -3.0]), 1), (np.array([1.0, 2.0, 3.0]), 0)]
