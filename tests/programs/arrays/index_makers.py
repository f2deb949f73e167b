"""`np.mgrid`, `np.ogrid`, `np.r_` and `np.c_` make new arrays of what stands in brackets; `np.s_` keeps it."""

import numpy as np
from numpy import mgrid, s_

CORNER = np.s_[:2, ..., 0]


def f(x, n, low, step):
    rows, columns = mgrid[0:n, -1:n]
    rows[0] = 7
    y, z = np.ogrid[low : low + 1 : 3j, 0:1:step]
    line = np.mgrid[0:4]
    line += 1
    whole = np.r_[x[0], 0.0, low, 1:n, 0:1:3j]
    whole[0] = -1.0
    apart = np.r_["0,2", x[0], x[0]]
    table = np.c_[x[0], np.arange(len(x[0]))]
    part = s_[:, 1:n]
    for k in range(n):
        inner = np.s_[k, : k + 1] if k % 2 else np.index_exp[0]
        x[inner] += table[np.s_[k % 2], 0]
        x[np.index_exp[k : k + 1]] *= 2
    return rows, columns, rows.shape, y + z, line, whole, apart, table, x[part], x[CORNER]


CALLS = [
    (np.arange(12.0).reshape(3, 4), 3, 0.5, 0.25),
    (np.arange(12.0).reshape(3, 4), 0, 0.5, 0.5),
    (np.arange(12, dtype=np.int32).reshape(3, 4), 1, 2, 0.25),
    (np.arange(6.0, dtype=np.float32).reshape(1, 6), 3, np.float32(1), np.float64(0.3)),
]
