"""The value with which a generator ends."""

G = 0


def mgen(n):
    global G
    for i in range(n):
        G += 1
        yield i * 2
    return "end"


def f(n):
    x = mgen(n)
    try:
        while True:
            next(x)
    except StopIteration as e:
        return e.value


CALLS = [(0,), (1,), (4,)]
