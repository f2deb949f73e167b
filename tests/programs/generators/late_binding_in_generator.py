"""Comprehensions in a generator: one set of variables for each time it goes on."""


def f(n):
    def g():
        for k in range(2):
            yield [lambda: (i, k) for i in range(2)]

    return [[f() for f in fs] for fs in g()], [[f() for f in fs] for fs in list(g())], n


CALLS = [(0,), (4,), (2.5,)]
