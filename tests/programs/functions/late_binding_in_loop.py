"""A comprehension in a loop has new variables at each turn of the loop."""


def loop(n):
    out = []
    for k in range(3):
        fs = [lambda: (i, k, n) for i in range(2)]
        out.append([f() for f in fs])
    return out


def loop2(n):
    out = []
    for k in range(3):
        out.append([lambda: (i, k, n) for i in range(2)])
    return [[f() for f in fs] for fs in out]


def loopn(n):
    out = []
    for k in range(n):
        fs = [lambda: (i, k, n) for i in range(2)]
        out.append([f() for f in fs])
    return out


def f(n):
    return loop(n), loop2(n), loopn(n)


CALLS = [(0,), (1,), (4,)]
