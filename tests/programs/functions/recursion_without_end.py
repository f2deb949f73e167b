"""The stack overflows where it does in plain Python."""


def inf(k):
    return inf(k + 1)


def infinite(n):
    def rec(k):
        return rec(k + 1)

    try:
        return rec(n)
    except RecursionError:
        return "deep"


def infinite2(n):
    try:
        return inf(n)
    except RecursionError:
        return "deep"


def f(n):
    return infinite(n), infinite2(n)


CALLS = [(0,), (1,), (5,)]
PLAIN = "AT203"
