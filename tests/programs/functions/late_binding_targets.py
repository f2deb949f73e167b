"""Several variables of a comprehension, each one for all turns."""


def two(n):
    fs = [lambda: (i, j, n) for i in range(2) for j in range(2)]
    return [f() for f in fs]


def tuple_(n):
    fs = [lambda: (a, b, n) for a, b in [(1, 2), (3, 4)]]
    return [f() for f in fs]


def star(n):
    fs = [lambda: (a, b, n) for a, *b in [(1, 2, 3), (3, 4)]]
    return [f() for f in fs]


def nesttuple(n):
    fs = [lambda: (a, b, c, n) for a, (b, c) in [(1, (2, 3)), (3, (4, 5))]]
    return [f() for f in fs]


def f(n):
    return two(n), tuple_(n), star(n), nesttuple(n)


CALLS = [(0,), (4,), (2.5,)]
