"""The attributes of an `AttributeError`: the name, and the very object."""

import math


def attr_err(x):
    q = [1]
    try:
        q.foo
    except AttributeError as e:
        return e.name, e.obj is q, str(e)


class A_2:
    pass


a_2 = A_2()


def attr_err2(x):
    try:
        a_2.foo
    except AttributeError as e:
        return e.name, e.obj is a_2, str(e)


def attr_err3(x):
    try:
        math.foo
    except AttributeError as e:
        return e.name, e.obj is math, str(e)


class A_4:
    pass


def attr_err4(x):
    a = A_4()
    try:
        a.foo
    except AttributeError as e:
        return e.name, e.obj is a, str(e)


class A_5:
    pass


def attr_err5(x):
    try:
        A_5.foo
    except AttributeError as e:
        return e.name, e.obj is A_5, str(e)


def attr_err6(x):
    try:
        x.foo
    except AttributeError as e:
        return e.name, e.obj is x, str(e)


class A_7:
    __slots__ = ()


def attr_set_err(x):
    a = A_7()
    try:
        a.foo = 1
    except AttributeError as e:
        return e.name, e.obj is a, str(e)


def f(x):
    return attr_err(x), attr_err2(x), attr_err3(x), attr_err4(x), attr_err5(x), attr_err6(x), attr_set_err(x)


CALLS = [(1,), (0,), (True,)]
