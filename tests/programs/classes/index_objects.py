"""`np.mgrid`, `np.ogrid`, `np.c_`, `np.r_`, `np.s_`: what they give is new at each call."""

import numpy as np


def f(x, k):
    i, j = np.mgrid[:2, :3]
    i += 1
    open_i, open_j = np.ogrid[:2, :3]
    columns = np.c_[x, x + 1]
    columns[0] = 0
    row = np.r_[x, k, x[::-1]]
    key = np.s_[k:, None]
    total = 0
    for n in range(k):
        grid = np.mgrid[0:n]
        total += grid.sum()
    return i, j, open_i + open_j, columns, row, x[key], x[np.s_[::2]], x[np.index_exp[0]], np.mgrid[:2, :3][0], total


CALLS = [(np.arange(3.0), 1), (np.arange(4), 3), (np.arange(4), 0)]
