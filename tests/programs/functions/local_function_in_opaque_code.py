"""Local functions go where nobody can look into: C code calls them back, objects keep them, callers get them."""

import functools
import operator

import numpy as np


class Keeper:
    rule = None


KEEPER = Keeper()


def f(x, n, keeper):
    scale = 2.0
    if n > 1:
        scale = scale + n
    seen = []

    def apply(t, shift=scale):
        seen.append(n)
        return t * scale + shift

    def twice(t, *, by=n):
        return apply(apply(t)) * by

    called = operator.call(twice, x), operator.call(apply, n, shift=1.0), len(seen)
    buffer = x * 0.0

    def fill(i, value):
        buffer[i] = value
        return buffer.sum()

    filled = buffer.sum() + functools.reduce(lambda total, i: total + fill(i, n + i), range(len(x)), 0.0)
    total = buffer.sum()
    for i in range(n):
        total = total + operator.call(lambda t, i=i: t + i * scale, operator.call(fill, 0, total))
    pairs = sorted([(3, 1), (1, 2), (2, 0)], key=functools.cmp_to_key(lambda a, b: b[1] - a[1]))
    if total > 20:
        keeper.rule = lambda t: t + scale
    keeper.both = [apply, twice, apply]
    same = keeper.both[0] is keeper.both[2], keeper.both[0] is apply
    return called, buffer, filled, total, pairs, seen, same, operator.call(keeper.both[0], n)


CALLS = [(np.array([1.0, 2.0, 3.0]), 3, KEEPER), (np.arange(2.0), 0, KEEPER), (np.array([-1.5]), 2, KEEPER)]

AFTER = "LAST[2].both[1](2.0), LAST[2].rule and LAST[2].rule(1.0), LAST[2].both[0] is LAST[2].both[2]"
