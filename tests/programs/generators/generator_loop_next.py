"""`next` in a loop."""


def loopnext(n):
    x = (i * i for i in range(10))
    t = 0
    for _ in range(n):
        t += next(x)
    return t


def while_next(n):
    x = iter(range(n))
    out = []
    while True:
        try:
            out.append(next(x))
        except StopIteration:
            break
    return out


def f(n):
    return loopnext(n), while_next(n)


CALLS = [(0,), (1,), (4,)]
