"""What `finally` raises has what was on its way as its context."""


def h_1(x):
    try:
        raise KeyError("k")
    finally:
        {}["z"]


def ctx_finally(x):
    try:
        h_1(x)
    except KeyError as e:
        return repr(e), repr(e.__context__)


def h_2(x):
    try:
        raise KeyError("k")
    finally:
        if x > 0:
            raise ValueError(x)


def ctx_finally2(x):
    try:
        h_2(x)
    except (KeyError, ValueError) as e:
        return repr(e), repr(e.__context__)


def f(x):
    return ctx_finally(x), ctx_finally2(x)


CALLS = [(1,), (0,), (True,)]
