"""How many closures a comprehension makes is known when the program runs."""


def f(n):
    fs = [lambda v: v * i for i in range(n)]
    return [g(2) for g in fs]


CALLS = [(0,), (1,), (4,)]
PLAIN = "AT204"
