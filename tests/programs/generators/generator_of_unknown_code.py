"""A generator made by opaque code changes a global while it is walked."""

G = 1


def gen():
    global G
    for i in range(4):
        G = i
        yield i * 1.5


exec("def prep2():\n    return gen()")


def for_(n):
    g = prep2()
    t = 0
    for v in g:
        t += v * G
    return t


def next_(n):
    g = prep2()
    a = next(g)
    x = G
    b = next(g)
    return a, x, b, G


def send(n):
    g = prep2()
    a = g.send(None)
    x = G
    b = g.send(None)
    return a, x, b, G


def list_(n):
    g = prep2()
    a = G
    r = list(g)
    return r, G


def sum_(n):
    g = prep2()
    x = G
    return sum(g), G


def comp(n):
    g = prep2()
    return [v * G for v in g]


def zip_(n):
    g = prep2()
    return [v * G + i for i, v in zip(range(2), g)], G


def unpack(n):
    g = prep2()
    x = G
    a, b, *c = g
    return a, b, c, G


def close(n):
    g = prep2()
    next(g)
    g.close()
    return G


def f(n):
    return for_(n), next_(n), send(n), list_(n), sum_(n), comp(n), zip_(n), unpack(n), close(n)


CALLS = [(0,), (1,), (4,)]
PLAIN = "AT101"
