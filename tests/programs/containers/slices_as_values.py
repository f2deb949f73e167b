"""Slices that are made from traced numbers and kept under a name: what an index by them gives has a known type."""

import numpy as np


def f(x, table, starts, k):
    found = np.zeros(len(starts) - 1)
    for i in range(len(starts) - 1):
        row = slice(starts[i], starts[i + 1])
        columns = np.s_[1:, i : i + k]
        found[i] = x[row].sum() + len(x[row])
        part = table[columns]
        part[...] += found[i]
        x[row] *= 2.0
        table[np.s_[0], np.s_[:k]] -= x[slice(k)]
    return found


CALLS = [
    (np.arange(6.0), np.ones((3, 4)), np.array([0, 2, 2, 6]), 2),
    (np.arange(6.0), np.ones((3, 4)), np.array([0, 2, 7]), 1),
    (np.arange(6.0), np.ones((3, 4)), np.array([0]), 2),
    (np.arange(2.0), np.ones((3, 4)), np.array([0, 1, 2]), 3),
]
