"""A local function that is handed out while its variables still change, which plain Python does."""

import operator

import numpy as np


def f(x, n):
    shift = 1.0

    def moved(t):
        return t + shift

    found = [operator.call(moved, x.sum())]
    shift = found[0] * 2
    found.append(operator.call(moved, n))
    made = [operator.call(operator.itemgetter(0), [lambda t: t * i]) for i in range(3)]
    return found, [one(x) for one in made]


CALLS = [(np.array([1.0, 2.0]), 3), (np.array([0.5]), 1)]
PLAIN = "AT204"
