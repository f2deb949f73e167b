"""Functions that other compilers make something else of, and some of which they make the same."""

from __future__ import annotations

import numpy as np

RATE = 0.5
LOG = []


def scaled(x):
    total = 0.0
    for item in x:
        total += item * RATE
    return total


def plain(x):
    return np.maximum(x, x[::-1])


def picked(x, i):
    return x[i]


def ratio(x, y):
    total = 0.0
    for i in range(len(x)):
        total += x[i] / y[i]
    return total


def power(n, k):
    result = 1
    for _ in range(k):
        result *= n
    return result


def spread(x):
    return np.sqrt(((x - x.mean()) ** 2).sum())


def chosen(x, up=True):
    if up:
        return x + 1
    return x - 1


def branches(x):
    if x.sum() > 0:
        return x
    return -x


def logged(x):
    LOG.append(1)
    return x * 2


def forever(x):
    while x.sum() < 100:
        x = x * 2
    return x


def untyped(x):
    held = {}
    held["a"] = x
    held[1] = 2
    return held


def scale_and_shift(x, scale=1.0, shift=0.0):
    return x * scale + shift
