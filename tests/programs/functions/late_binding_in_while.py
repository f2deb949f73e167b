"""Closures made in a comprehension inside `while`."""


def f(n):
    t = 0
    while t < 10:
        fs = [lambda: i + t + 1 for i in range(3)]
        t += sum(f() for f in fs) + n
    return t


CALLS = [(1,), (4,), (9,)]
