"""A ufunc with `where` and without `out` warns once, at its line; asking for its type while it is captured warns of nothing."""

import numpy as np

WARNS = True


def f(x, mask):
    some = np.mod(x, 2.0, where=mask)
    return some[:1] + np.sqrt(abs(x), where=mask)


CALLS = [
    (np.array([3.0, 4.0]), np.array([True, True])),
    (np.array([3.0, 4.5, 5.0]), True),
    (np.array([3.0]), ()),
]
