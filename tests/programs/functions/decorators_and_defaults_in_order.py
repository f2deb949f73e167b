"""Decorators of a local function are evaluated before its defaults, and applied after."""

PLAIN = "AT204"  # one function is given to `None`, which raises
LOG = []


def seen(value):
    LOG.append(value)
    return value


def adding(step):
    LOG.append(("adding", step))

    def decorate(function):
        LOG.append(("decorated", step))
        return lambda *args: function(*args) + step

    return decorate


def local(x):
    @adding(seen(1))
    @adding(seen(2 * x))
    def inner(a=seen(x), *, b=seen(4)):
        return a + b

    return inner()


def loop(x):
    total = 0
    for i in range(x):

        @adding(seen(i))
        def inner(a=seen(i + 10)):
            return a

        total += inner() + inner(1)
    return total


def handled(x):
    try:

        @seen(None)
        def inner(a=seen(x)):
            return a

    except TypeError as error:
        return str(error)
    return inner


def f(x):
    LOG.clear()
    return local(x), loop(x), handled(x), LOG[:]


CALLS = [(2,), (0,), (1,)]
