"""A decorator of the name that the function gets is looked up before the function has it."""


def tenfold(function):
    return lambda x: function(x) * 10


def unbound(x):
    @tenfold
    def tenfold(x):
        return x

    return tenfold(x)


def parameter(x, change=tenfold):
    @change
    def change(x):
        return x + 1

    return change(x)


def in_loop(x):
    for i in range(3):
        if i == 0:

            def change(function):
                return lambda v: function(v) + 100

        else:

            @change
            def change(function):
                return x if callable(function) else function * 2

    return change if x > 1 else change(change)


def argument(x):
    def step(by):
        return lambda function: lambda x: function(x) + by

    @step(step(1)(abs)(x))
    def step(x):
        return -x

    return step(x)


def told(function, x):
    try:
        return function(x)
    except (NameError, TypeError) as error:
        return type(error).__name__, str(error)


def f(x):
    return told(unbound, x), parameter(x), told(in_loop, x), argument(x)


CALLS = [(1,), (-2,), (2.5,), (0,)]
