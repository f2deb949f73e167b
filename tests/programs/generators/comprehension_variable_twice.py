"""Two parts of a comprehension assign one variable."""


def same_twice(n):
    return [i for i in [1, 2] for i in [i, i + n]]


def same_twice2(n):
    return [(i, k) for i in [1, 2] for j in [0, 1] for k in [i] for i in [j * 10 + n]]


def f(n):
    return same_twice(n), same_twice2(n)


CALLS = [(0,), (4,), (2.5,)]
