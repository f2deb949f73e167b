"""`send` and `next` on a generator of a local function."""


def f(n):
    def g():
        got = 0
        while True:
            v = yield got
            got += 1 if v is None else v

    x = g()
    next(x)
    return x.send(n), x.send(3), next(x)


CALLS = [(0,), (1,), (4,)]
