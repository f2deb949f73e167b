"""Bound methods of objects that NumPy itself holds."""

import numpy as np

TOTAL = np.ma.add.reduce


def f(x):
    masked = np.ma.array(x, mask=x < 0)
    return np.ma.alltrue(masked > -1), TOTAL(masked), np.ma.masked_print_option.enabled(), np.add.reduce(x)


CALLS = [(np.array([1.0, -2.0, 3.0]),), (np.array([0.0, 1.0]),)]
