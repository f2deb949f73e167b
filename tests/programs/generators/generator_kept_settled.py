"""Generators that are kept, over variables that stay as they are, exist when the program runs."""

import numpy as np
import collections

L = []


def mut(n):
    xs = [1, 2]
    d = collections.deque()
    d.append((v * n for v in xs))
    xs.append(3)
    return list(d.pop())


def mut2(n):
    xs = np.array([1, 2])
    L.append((v * n for v in xs))
    xs[0] = 7
    return list(L.pop())


def loop_nochange(n):
    out = []
    for k in range(n):

        def g(k=k):
            yield k
            yield k + 1

        out.append(g())
    return [list(g) for g in out]


def loop_genexp(n):
    def mk(k):
        return (v * k for v in [1, 2])

    return [list(g) for g in [mk(i) for i in range(n)]]


def f(n):
    return mut(n), mut2(n), loop_nochange(n), loop_genexp(n)


CALLS = [(0,), (1,), (4,)]
