"""Dtypes that ``==`` takes for the same, texts as long as their values, long doubles, what LAPACK would print of."""

import numpy as np


def f(x, names, fine):
    chars = (x * 2).dtype.char, np.sort(x).dtype.char, x.sum().dtype.char, (x + x).dtype.char, x[0].dtype.char
    joined = np.add(names, names), names[0] + names[1], np.array(names[0]), np.full(2, names[0])
    found = np.where(names), np.broadcast_arrays(names, names[0])
    exact = fine.tolist(), fine[0].item(), fine[0] + 1
    line = np.polyfit(fine.astype(float), x, 1)
    return chars, joined, found, exact, line, np.int64(3).dtype == x.dtype


CALLS = [
    (np.arange(3, dtype="l"), np.array(["ab", "c", ""]), np.array([1, 2, 4], "longdouble") / 3),
    (np.arange(3, dtype="q"), np.array(["ab", "longer", "x"]), np.array([1, 2, 4], "longdouble") / 3),
    (np.arange(3, dtype="Q"), np.array(["a", "b", ""]), np.array([1, 2, 4], "longdouble") / 7),
]


def noise(rng):
    return CALLS[rng.integers(len(CALLS))]
