"""What a handler finds in names that the body of a ``with`` has changed, though the manager's own code runs in between."""

import contextlib

import numpy as np


@contextlib.contextmanager
def manager():
    left = []
    try:
        yield 3
    finally:
        left.append(1)


@contextlib.contextmanager
def branching(flag, x, k):
    if flag:
        yield 1
    else:
        yield 2
    x[k] = 5.0


class Adding:
    def __init__(self, x, k):
        self.x, self.k = x, k

    def __enter__(self):
        return self.k

    def __exit__(self, *_):
        self.x[self.k] += 1


def of_a_generator(x, n):
    c = 1.0
    try:
        with manager():
            x[n] = 2.0
            c = True
    except IndexError:
        c = c, "caught"
    return c


def of_two(x, n):
    c = d = 1.0
    try:
        with manager() as m, manager():
            c = m * 2
            x[n] = 2.0
            d = True
            c = 4
    except IndexError:
        c = c, "caught"
    return c, d


def of_a_branch(x, n):
    c = 0
    try:
        with branching(n > 2, x, n) as m:
            c = True if n > 2 else 2.5
            c = c * m
    except IndexError:
        c = c, "caught"
    return c


def of_a_class(x, n):
    c = 1.0
    try:
        with Adding(x, n - 1) as k:
            c = x[k]
            c = True
    except IndexError:
        c = c, "caught"
    return c


def of_a_class_that_raises(x, n):
    c = 1.0
    try:
        with Adding(x, n):
            c = n * 2.5
    except IndexError:
        c = c, "caught"
    return c


def in_a_loop(x, n):
    c = 1.0
    try:
        while n < 9:
            with manager():
                c = n
                n += 2
                x[n] = 3.0
                c = None
    except IndexError:
        c = c, n
    return c


def in_a_handler(x, n):
    c = 0
    try:
        try:
            with manager():
                c = True
                x[n] += 1
                c = 2
        except IndexError:
            x[n - 1] += 1
        finally:
            x[n - 2] += 1
    except IndexError:
        c = c, "caught"
    return c


def f(x, n):
    found = of_a_generator(x, n), of_two(x, n), of_a_branch(x, n), of_a_class(x, n)
    return found, of_a_class_that_raises(x, n), in_a_loop(x, n), in_a_handler(x, n)


CALLS = [(np.arange(4.0), 1), (np.arange(4.0), 4), (np.ones(1), 3), (np.zeros(0), 0), (np.ones(2), 2)]
