"""One iterator is walked by several."""

import itertools


def zipself(n):
    x = iter(range(n + 2))
    return list(zip(x, x))


def grouper(n):
    it = [iter(range(6))] * 3
    return list(zip(*it)), n


def islice(n):
    x = (i for i in itertools.count(n))
    return list(itertools.islice(x, 3)), next(x)


def tee(n):
    a, b = itertools.tee(i * n for i in range(3))
    return list(a), list(b)


def f(n):
    return zipself(n), grouper(n), islice(n), tee(n)


CALLS = [(0,), (1,), (4,)]
