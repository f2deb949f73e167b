"""`map`, `filter` and partials of closures that a comprehension makes."""


def apply(f, *a):
    return f(*a)


def map_(n):
    ms = [map(lambda v: v * i + n, [1, 2]) for i in range(3)]
    return [list(m) for m in ms]


def filter_(n):
    ms = [filter(lambda v: v != i, [0, 1, 2]) for i in range(3)]
    return [list(m) for m in ms], n


def partial(n):
    import functools

    fs = [functools.partial(lambda a, b: (a, b, i), i) for i in range(3)]
    return [f(n) for f in fs]


def opaque(n):
    import functools

    fs = [lambda v, w: v * i + w for i in range(3)]
    return [functools.reduce(f, [1, 2, 3], n) for f in fs]


def apply_(n):
    fs = [lambda: i + n for i in range(3)]
    return [apply(f) for f in fs]


def f(n):
    return map_(n), filter_(n), partial(n), opaque(n), apply_(n)


CALLS = [(0,), (4,), (2.5,)]
