"""Recursion over a Python number specialises on it."""

import numpy as np

def power(x, n):
    if n == 0:
        return x * 0 + 1
    if n % 2:
        return x * power(x, n - 1)
    half = power(x, n // 2)
    return half * half

def f(x):
    return power(x, 5)

CALLS = [(np.array([1.0, 2.0]),), (np.float64(3.0),)]
