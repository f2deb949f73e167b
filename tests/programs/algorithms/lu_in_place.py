"""Elimination in place with triangular slices."""

import numpy as np

def f(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
    return a

CALLS = [(np.array([[4.0, 3.0, 2.0], [2.0, 5.0, 1.0], [1.0, 1.0, 6.0]]),), (np.array([[2.0]]),)]

def noise(rng):
    return (rng.normal(size=(4, 4)) + 5 * np.eye(4),)
