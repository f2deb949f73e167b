"""`raise` of a class, also of one that needs arguments."""


def cls_raise(x):
    try:
        raise ValueError
    except ValueError as e:
        return e.args, type(e) is ValueError


class E_2(Exception):
    def __init__(self, a):
        pass


def cls_raise_bad(x):
    try:
        raise E_2
    except TypeError as e:
        return str(e), repr(e.__context__)


def f(x):
    return cls_raise(x), cls_raise_bad(x)


CALLS = [(1,), (0,), (True,)]
