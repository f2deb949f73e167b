"""Functions that call each other until the data say stop: one call of each is left to plain Python."""


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def a(n):
    return 0 if n <= 0 else b(n - 1) + 1


def b(n):
    return 0 if n <= 0 else c(n - 1) + 1


def c(n):
    return 0 if n <= 0 else a(n - 1) + 1


def f(n):
    return even(n), n + 1, a(n) + n


CALLS = [(0,), (1,), (5,)]
PLAIN = "AT203"
