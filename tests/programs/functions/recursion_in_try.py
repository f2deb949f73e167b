"""A function that calls itself in a `try`."""


def f(n):
    def rec(k):
        try:
            return rec(k - 1) if k > 0 else 1 // k
        except ZeroDivisionError:
            return -1

    return rec(n)


CALLS = [(0,), (1,), (5,)]
PLAIN = "AT203"
