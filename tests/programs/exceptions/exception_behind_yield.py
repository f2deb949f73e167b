"""A generator that waits in a handler keeps its exception to itself."""

import sys


def g_1():
    try:
        raise KeyError("k")
    except KeyError:
        yield 1
    yield 2


def gen_handler_yield(x):
    out = []
    for i in g_1():
        out.append(sys.exc_info()[0])
    return out


def g_2():
    try:
        raise KeyError("k")
    except KeyError:
        yield 1
    yield 2


def gen_handler_yield_raise(x):
    try:
        for i in g_2():
            raise ValueError(i)
    except ValueError as e:
        return repr(e.__context__)


def g_3(x):
    try:
        [][x]
    except IndexError:
        yield x
    yield 2


def gen_handler_yield_rt(x):
    try:
        for i in g_3(x):
            1 / (i - x)
    except ZeroDivisionError as e:
        return repr(e.__context__)


def f(x):
    return gen_handler_yield(x), gen_handler_yield_raise(x), gen_handler_yield_rt(x)


CALLS = [(1,), (0,), (True,)]
PLAIN = "AT209"
