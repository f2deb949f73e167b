"""Generators over the variable of a loop are kept until it has ended."""


def f(n):
    out = []
    for k in range(n):
        out.append((v * k for v in [1, 2]))
    return [list(g) for g in out]


CALLS = [(0,), (1,), (4,)]
PLAIN = "AT204"
