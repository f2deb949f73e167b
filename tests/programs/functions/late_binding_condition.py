"""Closures that are made where a condition of the comprehension holds, which may be one, too."""


def sorted_by(n):
    return sorted((lambda: i)() for i in range(3)), n


def any_(n):
    return any((lambda: i > n)() for i in range(3)), all((lambda: i < n)() for i in range(3))


def condexpr(n):
    fs = [(lambda: i) if i % 2 else (lambda: -i) for i in range(4)]
    return [f() for f in fs], n


def key(n):
    return [sorted([3, 1, 2], key=lambda v: (v - i) ** 2) for i in range(3)], n


def f(n):
    return sorted_by(n), any_(n), condexpr(n), key(n)


CALLS = [(0,), (4,), (2.5,)]
