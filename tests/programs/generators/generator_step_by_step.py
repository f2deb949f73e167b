"""A generator is taken step by step, and what is left walked."""


def next3(n):
    x = (i * n for i in range(3))
    return next(x), next(x), next(x), next(x, None)


def partly(n):
    x = iter([1, 2, 3, n])
    a = next(x)
    return a, list(x)


def partly2(n):
    x = (i for i in range(5))
    for v in x:
        if v == n:
            break
    return list(x)


def branch(n):
    x = (i for i in range(5))
    if n > 2:
        a = next(x)
    else:
        a = None
    return a, list(x)


def returned(n):
    return next((i * n for i in range(3)), None)


def f(n):
    return next3(n), partly(n), partly2(n), branch(n), returned(n)


CALLS = [(0,), (1,), (7,)]
