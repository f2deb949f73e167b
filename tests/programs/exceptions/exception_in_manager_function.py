"""Exceptions through functions of `contextlib.contextmanager`."""

import contextlib


@contextlib.contextmanager
def cm_1():
    try:
        yield 1
    except KeyError as e:
        raise ValueError("v")


def cm_ctx(x):
    try:
        with cm_1() as v:
            raise KeyError("k")
    except ValueError as e:
        return repr(e.__context__), repr(e.__cause__)


@contextlib.contextmanager
def cm_2():
    try:
        yield 1
    finally:
        print("end")


def cm_finally(x):
    try:
        with cm_2() as v:
            raise KeyError("k")
    except KeyError as e:
        return repr(e.__context__), repr(e.__cause__)


def f(x):
    return cm_ctx(x), cm_finally(x)


CALLS = [(1,), (0,), (True,)]
