"""Items of slices, of rows and of slices of slices, read and written in loops by indices that may count from the end."""

import numpy as np


def f(x, m, n):
    back, inner, some = x[::-1], x[2:-1], x[9:2:-3]
    column, row, corner = m[:, 1], m[2], m[1:, ::-2]
    for i in range(-n, n):
        back[i] = i
        inner[i] += some[i] * 2.0
        column[i] = row[i] + i
        corner[i, 0] += x[-6:][i]
        corner[i][-1] *= 2.0
        x[n:][0] -= corner[-1, i]
    return back, inner, some, column, row, corner, x[1:][::2][n]


CALLS = [(np.arange(12.0), np.arange(16.0).reshape(4, 4), n) for n in (2, 0, 1, 3, 4)]
