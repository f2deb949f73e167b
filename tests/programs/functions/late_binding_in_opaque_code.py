"""A closure that a comprehension makes is called by opaque code."""

exec("def opaque(f, *a): return f(*a)")


def f(n):
    fs = [lambda: i + n for i in range(3)]
    return [opaque(f) for f in fs]


CALLS = [(0,), (4,), (2.5,)]
PLAIN = "AT204"
