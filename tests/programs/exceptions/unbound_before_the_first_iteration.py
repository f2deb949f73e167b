"""A name that the first iteration binds is read in the second operand of an ``or``, or in a branch that is not taken at first."""

import numpy as np


def f(values, start):
    kept = []
    for i in range(len(values)):
        value = values[i] * 2
        if i == start or value > best:
            best = value
            pair = [value, i]
        if i > start:
            kept.append(best - pair[0] if value > 0 else best)
    return best, pair, kept


CALLS = [
    (np.array([1.0, 3.0, -2.0, 4.0]), 0),
    (np.array([-1.0, -3.0]), 0),
    (np.array([1.0, 3.0]), 1),
    (np.zeros(0), 0),
    ([1, 3, 2], 0),
]
