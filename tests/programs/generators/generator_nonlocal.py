"""A generator assigns a variable of the function around it."""


def nonlocal_(n):
    def outer(x):
        def g(y):
            nonlocal x
            for i in range(y):
                x += 1
                yield x

        return g

    return list(outer(0)(n))


def nonlocal2(n):
    c = 0

    def g():
        nonlocal c
        for i in range(n):
            c += 1
            yield c

    return list(g()), c, list(g()), c


def ret(n):
    def mk(k):
        def g():
            yield k
            yield k + 1

        return g

    return [list(mk(i)()) for i in range(3)], n


def rec(n):
    def walk(t):
        if isinstance(t, list):
            for c in t:
                yield from walk(c)
        else:
            yield t

    return list(walk([1, [2, [3, n]], 4]))


def f(n):
    return nonlocal_(n), nonlocal2(n), ret(n), rec(n)


CALLS = [(0,), (1,), (4,)]
