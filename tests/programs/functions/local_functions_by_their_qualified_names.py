"""Local functions of branches, loops and methods have Python's qualified names, also in the messages that name them."""


class Holder:
    def method(self, n):
        found = []
        for _ in range(n):
            def inner(q):
                return q
            found += [inner.__qualname__, told(inner), inner.__name__]
        if n > 1:
            def other(q, *, r):
                return q, r
            found += [other.__qualname__, told(other)]
        return found


def told(function):
    try:
        return function()
    except TypeError as error:
        return str(error)


def lambdas(n, x):
    found = []
    for _ in range(n):
        try:
            (lambda a, b: a)(x)
        except TypeError as error:
            found.append(str(error))
    while n > 0:
        def deep():
            return (lambda q: q).__qualname__
        found += [deep(), deep.__qualname__]
        n -= 1
    return found


def f(n, x):
    return Holder().method(n), lambdas(n, x)


CALLS = [(0, [1]), (1, [1]), (3, [])]
