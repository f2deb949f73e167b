"""The text of an `UnboundLocalError`, after a branch."""


def f(x):
    try:
        if x > 5:
            later = 1
        return later
    except UnboundLocalError as e:
        return e.name, str(e), type(e).__mro__[1].__name__


CALLS = [(1,), (0,), (7,)]
