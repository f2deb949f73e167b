"""A list and a dict from outside, unpacked and sliced after they were changed."""

import numpy as np


def f(values, table, x):
    values.append(x)
    table["new"] = x
    first, *rest = values
    one, two = values[:2]
    *names, last = table
    values[1:] = values[::-1]
    if x > 0:
        values.pop()
    return first, rest, one, two, values[1:], values[-1:], names, last, [*values[:1]] if x is None else values[:1]


CALLS = [([1.0, 2.0], {"q": 1}, 3.0), ([1.0], {}, -1.0), ([], {"q": 1}, 2.0), ([np.ones(2), 1], {"new": 0}, np.float64(2))]
AFTER = "LAST"
