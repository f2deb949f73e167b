"""`sys.exit` in a handler and in a helper."""

import sys


def quit__1(c):
    sys.exit(c)


def exit_in_helper(x):
    try:
        quit__1("text")
    except SystemExit as e:
        return e.code, repr(e.__context__)


def raise_exit_ctx(x):
    try:
        try:
            {}["k"]
        except KeyError:
            sys.exit(4)
    except SystemExit as e:
        return e.code, repr(e.__context__)


def f(x):
    return exit_in_helper(x), raise_exit_ctx(x)


CALLS = [(1,), (0,), (True,)]
