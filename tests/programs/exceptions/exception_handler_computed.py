"""The class of a handler is computed when there is an exception."""


def kinds(x):
    print("asked")
    return ValueError if x > 0 else KeyError


def f(x):
    try:
        try:
            raise ValueError(1)
        except kinds(x) as e:
            return repr(e)
    except ValueError:
        return "out"


CALLS = [(1,), (0,), (True,)]
PLAIN = "AT209"
