"""A generator that makes closures is taken step by step: the variable is where it is just then."""


def next_(n):
    g = ((lambda: i) for i in range(3))
    a = next(g)
    x = a()
    b = next(g)
    y = a()
    return x, y, b(), n


def zip_(n):
    g = ((lambda: i + n) for i in range(3))
    return [(k, f()) for k, f in enumerate(g)]


def f(n):
    return next_(n), zip_(n)


CALLS = [(0,), (4,), (2.5,)]
