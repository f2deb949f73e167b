"""A branch inside another one stores to other arrays: nothing is stored where the outer one is not taken."""

import numpy as np


def f(a, b, c):
    n = len(a)
    for i in range(n):
        for j in range(i, n):
            c[j, i] = a[j] * 2
            if a[j] > 0.0:
                a[j] = -1.0
            elif a[i] * c[i, j - 1] < b[i]:
                a[(j + 1) % n] = i
            else:
                b[n - 1 - j] = 0.5
            c[j, n - 1] = b[j] - b[n - 1 - j]
    return a.sum() + b.sum() + c.sum()


CALLS = [
    (np.array([0.4, 1.6, -0.8]), np.array([1.2, -0.9, -1.0]), np.arange(9.0).reshape(3, 3) - 4),
    (np.array([-0.4, -1.6, -0.8]), np.array([1.2, -0.9, 1.0]), np.zeros((3, 3))),
    (np.array([-1.0]), np.array([2.0]), np.ones((1, 1))),
]
