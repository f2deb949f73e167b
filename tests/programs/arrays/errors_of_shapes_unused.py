"""Shapes that do not fit raise, whether or not anybody uses what is computed; an empty slice takes nothing else."""

import numpy as np


def f(x, n):
    largest = [np.max(x[:1])]
    if n > 2:
        x[:0] = x[: n // 2][::-1]
    elif n > 0:
        largest.append(np.argmin(x[n:]))
    return x, n


CALLS = [(np.array([1.0, 2.0, 3.0]), 1), (np.array([1.0]), 1), (np.array([]), 0), (np.array([1.0, 2.0]), 4)]
