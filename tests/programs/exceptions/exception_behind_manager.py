"""A manager that waits in a handler keeps its exception to itself."""

import contextlib
import sys


@contextlib.contextmanager
def cm():
    try:
        raise KeyError("k")
    except KeyError:
        yield 1


def f(x):
    with cm():
        a = sys.exc_info()[0]
    try:
        with cm():
            raise ValueError("v")
    except ValueError as e:
        return a, repr(e.__context__)


CALLS = [(1,), (0,), (True,)]
PLAIN = "AT209"
