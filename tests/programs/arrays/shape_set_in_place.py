"""`x.shape = …` is seen through every name of an array, not through its views; views of arguments have their own."""

import numpy as np


def flat(*arrays):
    for array in arrays:
        array.shape = -1
    return arrays


def f(x, n, tall):
    X, Y = flat(*np.meshgrid(x, np.arange(n)))
    rows, columns = np.mgrid[0:n, 0 : len(x)]
    rows.shape = columns.shape = n * len(x)
    twice = x * 2
    same, view = twice, twice[:]
    kept = [twice, view]
    twice.shape = (2, -1) if tall else (1, len(x))
    first = same.shape, len(same), view.shape, kept[0].ndim, kept[1].ndim
    for k in range(n):
        row = np.empty((n, 2))
        row.shape = (2, n)
        row[:] = k
        row.shape = (n, 2)
        kept.append(row)
    bits = np.full(2, n, np.int32)
    bits.dtype = np.uint8
    part = x[: len(x) // 2 * 2]
    part.shape = (-1, 2)
    part[0] += 10.0
    return rows + columns, same, view, kept, first, part, X * Y, bits


if np.lib.NumpyVersion(np.__version__) < "2.0.0":  # there `meshgrid` gives a list, whose length is not known
    PLAIN = "AT201"
CALLS = [
    (np.arange(4.0), 3, True),
    (np.arange(6.0), 1, False),
    (np.arange(5.0), 2, True),
    (np.arange(4), 0, True),
]
