"""`except` asks the bases of a class, not its metaclass."""

import abc


class M_1(type):
    def __instancecheck__(cls, o):
        return True


class E_1(Exception, metaclass=M_1):
    pass


def exc_meta(x):
    try:
        try:
            raise KeyError(1)
        except E_1:
            return "E"
    except KeyError:
        return "not E"


class E_2(Exception, metaclass=abc.ABCMeta):
    pass


E_2.register(KeyError)


def exc_subclasshook(x):
    try:
        try:
            raise KeyError(1)
        except E_2:
            return "E"
    except KeyError:
        return "not E"


def f(x):
    return exc_meta(x), exc_subclasshook(x)


CALLS = [(1,), (0,), (True,)]
