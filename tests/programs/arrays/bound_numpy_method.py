"""Methods of arrays and containers that are kept in globals."""

import numpy as np

SIZES = np.arange(3.0)
TOTAL = SIZES.sum
COUNT = (1, 2, 2).count


def f(x):
    SIZES[0] = x
    return x + TOTAL(), TOTAL(axis=0), COUNT(2)


CALLS = [(2.0,), (3.0,)]
