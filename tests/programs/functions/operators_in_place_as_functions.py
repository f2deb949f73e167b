"""Operators in place, called as functions, change what was made here: plain, in a branch, a loop, a ``try``, of an item."""

import operator
from operator import iadd, imul, ior

import numpy as np

LOG = []


def f(p, n):
    q, u, d, h = [n], {n}, {"a": n}, [[n], []]
    iadd(q, [1, 2])
    same = operator.iadd(q, (n,)) is q
    ior(u, {7})
    ior(d, {"b": n})
    if n > 1:
        iadd(h[0], [n])
    for i in p:
        iadd(q, [i])
        imul(h[1], 2)
        h[1] = iadd(h[1], [i])
    try:
        iadd(q, n)
    except TypeError as error:
        LOG.append(str(error))
    x = np.ones(3)
    iadd(x[1:], n)
    total = iadd(n, 1), imul("a", 2), iadd((1,), (n,))
    return q, sorted(u), d, h, same, x, total, [operator.iadd(q, [0]) is q for _ in range(2)], LOG[:]


CALLS = [([1, 2], 1), ([], 3), ([2.5], 0), ([True], 2)]
AFTER = "LOG"
