"""`map`, `filter` and `enumerate` of which an item is taken first."""


def map_(n):
    m = map(lambda v: v * n, [1, 2])
    return type(m) is map, isinstance(m, map), hasattr(m, "throw"), next(m), list(m)


def filter_(n):
    m = filter(lambda v: v > n, [1, 2, 9])
    return type(m) is filter, next(m), list(m)


def enum(n):
    e = enumerate([5, 6])
    return type(e) is enumerate, isinstance(e, zip), next(e), list(e), n


def f(n):
    return map_(n), filter_(n), enum(n)


CALLS = [(0,), (1,), (4,)]
