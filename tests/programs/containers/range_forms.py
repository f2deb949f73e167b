"""`range` with all its arguments traced, negative and zero steps."""

import numpy as np

def f(a, b, c):
    total = 0
    for i in range(a, b, c):
        total = total * 3 + i
    return total

CALLS = [(0, 5, 1), (5, 0, -2), (np.int64(1), np.int64(9), np.int64(3)), (3, 3, 1), (0, 3, 0), (2, -7, -3)]
