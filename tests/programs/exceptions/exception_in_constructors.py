"""Exceptions out of `__init__`, and with an `__init__` of several classes."""

from dataclasses import dataclass


class A_1:
    def __init__(self, v):
        if v >= 0:
            raise ValueError(v)


def init_raises(x):
    try:
        return A_1(x)
    except ValueError as e:
        return e.args, repr(e.__context__)


class Base_2(Exception):
    def __init__(self, *a):
        super().__init__(*a)
        self.n = len(a)


class D_2(Base_2):
    def __init__(self, x):
        super().__init__("d", x)


def super_init(x):
    try:
        raise D_2(x)
    except Base_2 as e:
        return e.n, e.args, str(e)


@dataclass
class E_3(Exception):
    code: int
    why: str = "w"


def dataclass_exc(x):
    try:
        raise E_3(x)
    except E_3 as e:
        return e.code, e.why, repr(e), e.args, str(e)


class A_4:
    class Error(Exception):
        pass

    def go(self):
        raise self.Error("x")


def class_attr_exc(x):
    a = A_4()
    try:
        a.go()
    except A_4.Error as e:
        return repr(e), type(e).__qualname__


def f(x):
    return init_raises(x), super_init(x), dataclass_exc(x), class_attr_exc(x)


CALLS = [(1,), (0,), (True,)]
