"""``is`` and ``is not`` between a tuple that was put together here and what is known later only."""

import numpy as np


def counted(value, calls=[0]):
    calls[0] += 1
    if value < 0:
        raise IndexError("below zero")
    return value + calls[0]


def f(x, n):
    pair, other = (False, n), x.size
    found = []
    for v in x:
        try:
            pair = (np.float32(1), n)
            other = counted(v) * 0.5
        except IndexError:
            found.append(pair is other)
            other = pair
        found += [pair is other, other is not (v, n)]
    return found, pair


CALLS = [(np.array([1.0, -1.0, 2.0]), 1), (np.array([-1.0]), 2), (np.zeros(0), 0), (np.ones(3, "f4"), 1)]
