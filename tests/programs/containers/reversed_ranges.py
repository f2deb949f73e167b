"""`reversed` of ranges and of arrays: the last item comes first."""

import numpy as np


def f(x, n):
    found = np.zeros((4, len(x)))
    for i in reversed(range(len(x))):
        found[0, i] = x[i] + found[0].sum()
    for i in reversed(range(1, n)):
        found[1, i] = found[1, i - 1] * 0.5 + i
    for number, item in enumerate(reversed(x)):
        found[2, number] = item
    for i, item in zip(reversed(range(n)), x):
        found[3, i] = item
    return found


CALLS = [(np.arange(5.0) + 1, 4), (np.arange(2.0), 0), (np.arange(0.0), 0), (np.arange(3.0), 3)]
