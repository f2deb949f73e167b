"""Variables that nested functions read or assign, inside ``try``: what handlers and managers find in them."""

import contextlib

import numpy as np

LOG = []


@contextlib.contextmanager
def logged(get):
    try:
        yield 1
    finally:
        LOG.append(get())


def read_by_a_manager(x, n):
    c = 1.0
    try:
        with logged(lambda: c):
            x[n] += 1
            c = True
    except IndexError:
        return c, "caught"
    return c


def assigned_by_a_function(x, n):
    c = 1.0

    def put(v):
        nonlocal c
        c = v
        return x[int(v)]

    try:
        for v in x:
            put(v)
            c = None
        sorted(x + n, key=put)
    except IndexError:
        c = c, "caught"
    return c


def between_turns(x, n):
    c, d = 1.0, 0

    def put(v):
        nonlocal c
        c = v

    try:
        for v, _ in zip(x, range(n), strict=True):
            put(v > 1)
            try:
                x[int(v) + n] += d
            except IndexError:
                put((c, d))
            finally:
                d += 1
    except ValueError:
        c = c, d
    return c


def f(x, n):
    return read_by_a_manager(x, n), assigned_by_a_function(x, n), between_turns(x, n)


CALLS = [(np.arange(4.0), 1), (np.arange(4.0), 4), (np.zeros(0), 0), (np.ones(1), 2), (np.ones(2), 0)]
