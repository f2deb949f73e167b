"""`sys.exit` inside `try`."""

import sys


def sysexit(x):
    try:
        sys.exit(3)
    except SystemExit as e:
        return e.code


def sysexit2(x):
    try:
        sys.exit(x)
    except SystemExit as e:
        return e.code, e.args
    finally:
        print("bye")


def f(x):
    return sysexit(x), sysexit2(x)


CALLS = [(1,), (0,), (True,)]
