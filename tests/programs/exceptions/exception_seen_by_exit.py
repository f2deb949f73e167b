"""What `__exit__` is given, and sees."""

import sys


class M_1:
    def __enter__(self):
        return self

    def __exit__(self, t, v, tb):
        print(t, repr(v), tb is None, repr(getattr(v, "__context__", 0)))


def exit_sees(x):
    with M_1():
        y = x
    try:
        with M_1():
            try:
                raise KeyError(1)
            except KeyError:
                raise ValueError(2)
    except ValueError as e:
        return repr(e.__context__)


class M_2:
    def __enter__(self):
        return self

    def __exit__(self, t, v, tb):
        print(sys.exc_info()[0] is t, sys.exc_info()[1] is v)


def exit_info(x):
    try:
        with M_2():
            raise KeyError(1)
    except KeyError:
        pass
    with M_2():
        return 3


class M_3:
    def __init__(self, n):
        self.n = n

    def __enter__(self):
        return self

    def __exit__(self, t, v, tb):
        if t is not None:
            raise ValueError(self.n)


def nested_with(x):
    try:
        with M_3(1), M_3(2):
            raise KeyError("k")
    except ValueError as e:
        return repr(e), repr(e.__context__), repr(e.__context__.__context__)


class M_4:
    def __enter__(self):
        raise KeyError("enter")

    def __exit__(self, *a):
        print("never")


def enter_raises(x):
    try:
        with M_4():
            pass
    except KeyError as e:
        return repr(e), repr(e.__context__)


def f(x):
    return exit_sees(x), exit_info(x), nested_with(x), enter_raises(x)


CALLS = [(1,), (0,), (True,)]
