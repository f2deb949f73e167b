"""What is being handled, as `sys.exc_info` and `sys.exception` tell it, here and in a helper."""

import sys


def excinfo(x):
    try:
        int("x")
    except ValueError as e:
        t, v, tb = sys.exc_info()
        return t.__name__, v is e, str(v), tb is not None


def excinfo_static(x):
    before = sys.exc_info()
    try:
        {}["k"]
    except KeyError:
        inside = str(sys.exc_info()[0])
    return before, inside, sys.exc_info()


def sysexception(x):
    try:
        raise ValueError("a")
    except ValueError as e:
        return sys.exception() is e, sys.exception().args


def note_4():
    return str(sys.exc_info()[1])


def helper_handles(x):
    try:
        int("q")
    except Exception:
        return note_4()


def f(x):
    return excinfo(x), excinfo_static(x), sysexception(x), helper_handles(x)


CALLS = [(1,), (0,), (True,)]
