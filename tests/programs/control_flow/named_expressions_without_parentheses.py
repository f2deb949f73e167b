"""Assignment expressions stand bare where the grammar lets them: tests, items, arguments, indices, decorators."""

import functools


def decorated(x):
    @(made := functools.lru_cache)
    def g(y):
        return y + x

    @w := functools.cache
    def h(y):
        return y - x

    return made is functools.lru_cache, w is functools.cache, g(2), h(3)


def tests(x):
    if y := x - 1:
        z = y
    elif y := x + 1:
        z = -y
    while n := x - z:
        z += n
    assert (q := z + 1)
    return y, z, n, q, (u := 3 if (v := x) else 4), u, v


def items(x):
    a = [y := x, y + 1]
    b = {z := x, z + 1}
    c = max(t := x, t + 1)
    d = [5, 6, 7][i := 1]
    return a, b, c, d, y, z, t, i


def f(x):
    return decorated(x), tests(x), items(x)


CALLS = [(1,), (2,), (2.5,)]
