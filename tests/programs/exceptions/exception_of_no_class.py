"""`raise` of what is no exception."""


def nonexc(x):
    try:
        raise x
    except TypeError as e:
        return str(e)


def nonexc2(x):
    try:
        raise "text"
    except TypeError as e:
        return str(e), repr(e.__context__)


class A_3:
    pass


def nonexc3(x):
    try:
        raise A_3
    except TypeError as e:
        return str(e)


def f(x):
    return nonexc(x), nonexc2(x), nonexc3(x)


CALLS = [(1,), (0,), (True,)]
