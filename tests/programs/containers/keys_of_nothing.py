"""The key ``()``: of an array without dimensions its item, of any other one a view of all of it."""

import numpy as np


def f(a, b):
    item, whole = a[()], b[()]
    whole[0] = 5
    b[()] = b * 2
    doubled = b[...]
    a[()] = 4
    doubled[()] += item
    return item, whole, doubled, a[...], a[()] + 1


CALLS = [(np.array(3.0), np.arange(4.0)), (np.array(-1), np.eye(2, dtype=int))]
