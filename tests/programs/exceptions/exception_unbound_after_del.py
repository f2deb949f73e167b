"""The text of an `UnboundLocalError` after `del` and behind a handler that had the name."""


def del_unbound(x):
    y = x
    del y
    try:
        return y
    except NameError as e:
        return e.name, str(e), type(e).__name__


def e_unbound(x):
    e = 5
    try:
        raise ValueError(1)
    except ValueError as e:
        pass
    try:
        return e
    except UnboundLocalError as err:
        return str(err), repr(err.__context__)


def unbound(x):
    try:
        return later
    except UnboundLocalError as e:
        return e.name, str(e), e.args
    later = 1


def f(x):
    return del_unbound(x), e_unbound(x), unbound(x)


CALLS = [(1,), (0,), (True,)]
