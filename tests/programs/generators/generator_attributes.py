"""Names, code and state of a generator."""


def name(n):
    def g():
        yield n

    x = g()
    y = (i for i in [1])
    return x.__name__, y.__name__, x.__qualname__, y.__qualname__


def running(n):
    def g():
        yield n

    x = g()
    a = x.gi_running
    next(x)
    return a, x.gi_running, x.gi_frame is None, list(x), x.gi_frame is None


def gicode(n):
    def g():
        yield n

    return g().gi_code.co_name, g().gi_yieldfrom


def f(n):
    return name(n), running(n), gicode(n)


CALLS = [(0,), (1,), (4,)]
