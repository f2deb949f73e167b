"""Exceptions compared, hashed, taken apart, matched."""

import pickle


def eq_hash(x):
    try:
        int("zz")
    except ValueError as e:
        return e == e, e == ValueError(*e.args), {e: 1}[e], e in [e], bool(e)


def err_match(x):
    try:
        raise OSError(2, "m")
    except OSError as e:
        match e:
            case FileNotFoundError(errno=n):
                return "fnf", n
            case OSError():
                return "os"


def err_unpack(x):
    try:
        raise ValueError("a", x)
    except ValueError as e:
        a, b = e.args
        return a, b


def err_dict(x):
    try:
        raise ValueError("a")
    except ValueError as e:
        e.extra = 4
        return e.__dict__, vars(e), dir(e) != []


def err_reduce(x):
    try:
        raise ValueError("a", 1)
    except ValueError as e:
        return repr(pickle.loads(pickle.dumps(e))), e.__reduce__()[1]


def f(x):
    return eq_hash(x), err_match(x), err_unpack(x), err_dict(x), err_reduce(x)


CALLS = [(1,), (0,), (True,)]
