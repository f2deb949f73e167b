"""``StopIteration`` that a generator raises in its own loop over another generator: an error, not its end."""

import numpy as np


def items(x):
    for v in x:
        yield v


def until(x, most):
    for v in items(x):
        if v > most:
            raise StopIteration("early")
        yield v


def f(x, most):
    total = 0.0
    for v in until(x, most):
        total += v
    return total


PLAIN = "AT202"

CALLS = [(np.arange(4.0), 9.0), (np.arange(4.0), 1.0), (np.zeros(0), 0.0)]
