"""Slices whose length depends on the turn of a loop, and that are not as long as what they meet: one item is repeated, else it raises."""

import numpy as np


def f(x, y, ahead):
    total = np.zeros(len(x))
    for i in range(len(x)):
        total[i] = (x[: i + ahead] + y[: i + 1]).sum()
        total[i:] += x[: i + 1].max() * y[i:]
        total[: ahead * i + 1] -= x[: i + 1]
        total[i] += y[i : i + ahead - 1].max()
    return total


CALLS = [
    (np.arange(4.0), np.arange(4.0), 2),
    (np.arange(4.0), np.ones(4), 1),
    (np.arange(1.0), np.arange(1.0), 1),
    (np.arange(3.0), np.arange(5.0), 1),
    (np.arange(1.0), np.arange(1.0), 2),
]
