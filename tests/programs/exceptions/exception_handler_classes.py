"""The classes of a handler in a tuple that has a name."""

KINDS_1 = (KeyError, (ValueError))


def exc_tuple(x):
    try:
        raise ValueError(1)
    except KINDS_1 as e:
        return repr(e)


def exc_nonclass3(x):
    try:
        r = 1
    except 3:
        return 1
    return r


def f(x):
    return exc_tuple(x), exc_nonclass3(x)


CALLS = [(1,), (0,), (True,)]
