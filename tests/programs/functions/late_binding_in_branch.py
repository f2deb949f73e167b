"""Closures made in a comprehension in a branch leave it."""


def f(n):
    if n > 2:
        fs = [lambda: i + n for i in range(3)]
    else:
        fs = [lambda: i - n for i in range(2)]
    return [f() for f in fs]


CALLS = [(0,), (4,), (2.5,)]
PLAIN = "AT204"
