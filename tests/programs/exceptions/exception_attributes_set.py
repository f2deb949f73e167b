"""Attributes of an exception that are set before it is raised."""


class E_1(Exception):
    pass


def set_attr(x):
    e = E_1("a")
    e.extra = x
    try:
        raise e
    except E_1 as error:
        return error.extra, error is e


def set_args(x):
    e = ValueError("a")
    e.args = (1, 2)
    try:
        raise e
    except ValueError as error:
        return error.args, str(error)


def f(x):
    return set_attr(x), set_args(x)


CALLS = [(1,), (0,), (True,)]
