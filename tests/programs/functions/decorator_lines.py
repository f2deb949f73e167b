"""An exception of a decorator tells the line of the decorator, not that of the function that it is given."""

exec("def unknown(x):\n    return x")  # made by `exec`: it is not traced


def refuses(function):
    raise ValueError(function.__name__)


def one(x):
    @unknown(x)
    def inner(y):
        return y

    return inner


def several(x):
    @abs
    @unknown(x)
    @refuses
    def inner(
        y=unknown(3),
    ):
        return y

    return inner


def outermost(x):
    @unknown(x)
    @callable
    def inner(y):
        return y

    return inner


def f(way, x):
    return {"one": one, "several": several, "outermost": outermost}[way](x)


CALLS = [(way, x) for way in ("one", "several", "outermost") for x in (1, callable)]
PLAIN = "AT101"
