"""`__context__`, `__cause__` and `__suppress_context__` that are assigned."""


def set_ctx(x):
    e = ValueError("a")
    e.__context__ = KeyError("c")
    e.__cause__ = TypeError("d")
    return repr(e.__context__), repr(e.__cause__), e.__suppress_context__


def set_ctx2(x):
    try:
        raise ValueError("a")
    except ValueError as e:
        e.__cause__ = None
        return e.__suppress_context__


def f(x):
    return set_ctx(x), set_ctx2(x)


CALLS = [(1,), (0,), (True,)]
