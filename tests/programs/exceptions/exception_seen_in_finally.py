"""What `finally` sees of an exception on its way."""

import sys


def h_1(x):
    try:
        return 1 / x
    finally:
        print(sys.exc_info()[0], sys.exception() is None)


def finally_info(x):
    try:
        return h_1(x)
    except ZeroDivisionError:
        return "z"


def h_2():
    try:
        raise KeyError(1)
    finally:
        print(sys.exc_info()[0])


def finally_info_static(x):
    try:
        h_2()
    except KeyError:
        return "z"


def interrupt_cleanup(x):
    log = []
    try:
        try:
            log.append("a")
            raise KeyboardInterrupt
        finally:
            log.append("b")
    except BaseException as e:
        log.append(repr(e))
    return log


def f(x):
    return finally_info(x), finally_info_static(x), interrupt_cleanup(x)


CALLS = [(1,), (0,), (True,)]
