"""What a handler finds in names that a loop over a generator has changed, where the generator raises, before or after."""

import numpy as np


def counted(x, k):
    for v in x:
        yield v
    x[k] += 1.0


def at_two_places(x, k):
    if k > 5:
        yield 3.0
    x[k] += 1.0
    yield 4.0
    x[k + 1] += 1.0


def constants(x, n):
    c = 1.0
    try:
        for _ in counted(x, n):
            c = True
    except IndexError:
        c = c, "caught"
    return c


def in_branches(x, n):
    c = 1.0
    try:
        for v in at_two_places(x, n):
            c = True
            if v > 3:
                c = 2
    except IndexError:
        c = c, "caught"
    return c


def nested(x, n):
    c = 0
    try:
        for v in counted(x, n - 1):
            for _ in counted(x, n):
                c = v
            c = None
    except IndexError:
        c = c, "caught"
    return c


def expression(x, n):
    c = 1.0
    try:
        for _ in ([1, 2][int(v)] for v in x):
            c = True
    except IndexError:
        c = c, "caught"
    return c


def mapped(x, n):
    c = 1.0
    try:
        for v in map(lambda v: [1, 2][int(v)], x):
            c = v if v > 1 else None
    except IndexError:
        c = c, "caught"
    return c


def strictly(x, n):
    c = 1.0
    try:
        for _ in zip(x, range(n), strict=True):
            c = True
    except ValueError:
        c = c, "caught"
    return c


def f(x, n):
    return constants(x, n), in_branches(x, n), nested(x, n), expression(x, n), mapped(x, n), strictly(x, n)


CALLS = [(np.arange(4.0), 1), (np.arange(4.0), 4), (np.ones(1), 3), (np.zeros(0), 0), (np.ones(2), 7)]
