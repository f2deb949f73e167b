"""The class of what was caught."""


def isinst(x):
    try:
        int("q")
    except Exception as e:
        return isinstance(e, ValueError), type(e), issubclass(type(e), Exception), e.__class__


def memerr(x):
    try:
        raise MemoryError
    except MemoryError as e:
        return repr(e)


def obj_del(x):
    try:
        raise ValueError
    except ValueError as e:
        del e
        return 1


def f(x):
    return isinst(x), memerr(x), obj_del(x)


CALLS = [(1,), (0,), (True,)]
