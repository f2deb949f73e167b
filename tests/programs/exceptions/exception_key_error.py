"""The arguments of a `KeyError`."""


def key_err(x):
    try:
        {}[(x, 1)]
    except KeyError as e:
        return e.args, str(e)


def key_err_static(x):
    try:
        {"a": 1}["b"]
    except KeyError as e:
        return e.args, str(e), repr(e)


def f(x):
    return key_err(x), key_err_static(x)


CALLS = [(1,), (0,), (True,)]
