"""`AttributeError` out of `__getattr__` is told the name and the object."""

import sys


class A_1:
    def __getattr__(self, n):
        try:
            return {"y": 3}[n]
        except KeyError:
            raise AttributeError(n) from None


def getattr_(x):
    a = A_1()
    try:
        return a.y, a.z
    except AttributeError as e:
        return e.args, repr(e.__context__), e.__suppress_context__, e.name


class A_2:
    @property
    def p(self):
        raise AttributeError("hidden")

    @property
    def q(self):
        raise ValueError("not hidden")


def hasattr_(x):
    a = A_2()
    r = hasattr(a, "p"), getattr(a, "p", 5)
    try:
        hasattr(a, "q")
    except ValueError as e:
        return r, str(e), repr(e.__context__)


class A_3:
    @property
    def p(self):
        raise AttributeError("hidden")


def prop_attr_err(x):
    a = A_3()
    try:
        return a.p
    except AttributeError as e:
        return e.name, e.obj is a


def f(x):
    if sys.version_info >= (3, 12):  # from the second time on Python itself does otherwise in the last one
        return getattr_(x), hasattr_(x)
    return getattr_(x), hasattr_(x), prop_attr_err(x)


CALLS = [(1,), (0,), (True,)]
if sys.version_info >= (3, 12):  # there it depends on how often a line has run
    PLAIN = "AT202"
