"""A variable that a ``with`` body assigns before it raises, and that the manager reads by a nested function."""

import contextlib

import numpy as np

LOG = []


@contextlib.contextmanager
def logged(get):
    try:
        yield 1
    finally:
        LOG.append(get())


def f(x, n):
    c = 1.0
    try:
        with logged(lambda: c):
            x[n] += 1
            c = True
    except IndexError:
        return c, "caught"
    return c


PLAIN = "AT209"

CALLS = [(np.arange(4.0), 1), (np.arange(4.0), 4), (np.zeros(0), 0)]
