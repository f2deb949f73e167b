"""A generator expression behind another use of its variable in one statement."""


def capture_after(n):
    x = 1
    t = (x, (x * v for v in [1, 2]))
    x = 5 + n
    return t[0], list(t[1])


def first_now(n):
    x = [1, 2]
    g = (v * n for v in x)
    x = [7]
    return list(g), x


def f(n):
    return capture_after(n), first_now(n)


CALLS = [(0,), (4,), (2.5,)]
