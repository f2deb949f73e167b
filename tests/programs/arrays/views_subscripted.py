"""A view of a dict can't be subscripted: Python says so where it happens, and only then; a range can."""

import numpy as np

VALUES = [1.0, 2.0]


def f(x, n):
    total = range(n, 9)[1] * x
    try:
        return total + VALUES[1]
    except TypeError as error:
        return total, str(error)


CALLS = [(np.float64(2.0), 3)] * 4
BEFORE = {
    1: "VALUES = {0: 5.0, 1: 6.0}.values()",
    2: "VALUES = {'a': 1.0}.keys()",
    3: "VALUES = (3.0, 4.0)",
}
