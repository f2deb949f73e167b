"""`except` alone takes everything."""

import sys


def base_handlers(x):
    try:
        int("q")
    except:
        return "bare"


def base_handlers2(x):
    try:
        raise KeyboardInterrupt
    except:
        return sys.exc_info()[0].__name__


def unhandled_ok(x):
    try:
        try:
            {}["q"]
        except IndexError:
            return 1
    except KeyError as e:
        return e.args, repr(e.__context__)


def f(x):
    return base_handlers(x), base_handlers2(x), unhandled_ok(x)


CALLS = [(1,), (0,), (True,)]
