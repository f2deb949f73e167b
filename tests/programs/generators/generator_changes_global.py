"""A generator changes a global between its items."""

G = 0


def mgen(n):
    global G
    for i in range(n):
        G += 1
        yield i * 2
    return "end"


def global_(n):
    global G
    G = 0
    x = mgen(n)
    a = G
    r = [v + G for v in x]
    return a, r, G


def global_next(n):
    global G
    G = 0
    x = mgen(n)
    next(x, None)
    a = G
    next(x, None)
    return a, G


def f(n):
    return global_(n), global_next(n)


CALLS = [(0,), (1,), (4,)]
