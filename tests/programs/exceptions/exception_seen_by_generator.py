"""A generator that is walked in a handler sees what is handled there."""

import sys


def g():
    yield sys.exc_info()[0]
    yield sys.exc_info()[0]


def f(x):
    try:
        raise KeyError
    except KeyError:
        return list(g())


CALLS = [(1,), (0,), (True,)]
