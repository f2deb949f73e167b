"""`raise … from …`: an exception, a class, `None`, something else."""


def ctx_fromnone(x):
    try:
        try:
            raise KeyError("k")
        except KeyError as e:
            raise ValueError("gave up") from None
    except ValueError as e:
        return repr(e.__context__), repr(e.__cause__), e.__suppress_context__


def ctx_from(x):
    try:
        try:
            raise KeyError("k")
        except KeyError as e:
            raise ValueError("gave up") from e
    except ValueError as e:
        return repr(e.__context__), repr(e.__cause__), e.__suppress_context__, e.__cause__ is e.__context__


def ctx_fromcls(x):
    try:
        raise ValueError("gave up") from KeyError
    except ValueError as e:
        return repr(e.__context__), repr(e.__cause__), e.__suppress_context__


def ctx_frombad(x):
    try:
        raise ValueError("gave up") from 3
    except TypeError as e:
        return str(e), repr(e.__context__), repr(e.__cause__)


def f(x):
    return ctx_fromnone(x), ctx_from(x), ctx_fromcls(x), ctx_frombad(x)


CALLS = [(1,), (0,), (True,)]
