"""A comprehension whose condition is decided by the running program makes closures."""


def f(n):
    fs = [lambda: i + n for i in range(5) if i % 2 == 0]
    return [f() for f in fs]


CALLS = [(0,), (4,), (2.5,)]
PLAIN = "AT204"
