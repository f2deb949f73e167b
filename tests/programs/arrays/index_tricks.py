"""What is subscripted instead of called: ``np.r_``, ``np.mgrid`` and their like, and slices as values."""

import numpy as np

JOIN = np.r_


def middle(where):
    return where.start, where.stop, where.indices(10)


def f(x, n, where):
    put_together = np.r_[x, 0, x[::-1]], np.r_[1:n, 7], np.c_[x, x * 2], JOIN["0,2", x, x], np.r_[0:1:5j]
    grids = np.mgrid[0:n, 0:2] * 1.5, np.ogrid[0:3, 0:n], np.mgrid[0:1:3j]
    rows, columns = np.ogrid[:n, :n]
    tail, cut = np.s_[1:n], np.index_exp[where, ...]
    x[where] = x[where] * 2
    kept = [np.s_[i:n] for i in range(2)]
    return put_together, grids, rows * columns, x[tail], x[cut], middle(tail), middle(where), kept, where == tail


CALLS = [
    (np.arange(5.0), 3, slice(1, 3)),
    (np.arange(6), 2, slice(None, None, 2)),
    (np.arange(5.0), 4, slice(1, 4)),
]
