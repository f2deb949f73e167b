"""Exceptions that are stored outside and in attributes."""

LAST_1 = []


def store_error(x):
    try:
        {}[x]
    except KeyError as e:
        LAST_1.append(e)
    return len(LAST_1), repr(LAST_1[-1]), LAST_1[-1].__context__


ERR_2 = None


def global_error(x):
    global ERR_2
    try:
        {}["a"]
    except KeyError as e:
        ERR_2 = e
    return repr(ERR_2), ERR_2 is ERR_2


class A_3:
    pass


def attr_error_kept(x):
    a = A_3()
    a.err = None
    try:
        int("z")
    except ValueError as e:
        a.err = e
    if a.err is not None:
        try:
            raise a.err
        except ValueError as e:
            return e is a.err, repr(e.__context__)


def f(x):
    return store_error(x), global_error(x), attr_error_kept(x)


CALLS = [(1,), (0,), (True,)]
