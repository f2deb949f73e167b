"""An `__iter__` that gives no iterator is a TypeError wherever it is asked."""

import numpy as np


class Gives:
    def __init__(self, value):
        self.value = value

    def __iter__(self):
        return self.value


def told(function, value):
    try:
        return function(value)
    except TypeError as error:
        return str(error)


def walked(o):
    return [v for v in o]


def looped(o):
    total = []
    for v in o:
        total.append(v)
    return total


def unpacked(o):
    a, b = o
    return a, b


def starred(o):
    return [*o]


def given(o):
    return max(*o)


def joined(o):
    return list(o), tuple(o), sum(o)


WAYS = (iter, walked, looped, unpacked, starred, given, joined)


def f(x, real):
    made = Gives(iter([x, x + 1])) if real else Gives([x, x + 1])
    return [told(way, made) if way is not iter else type(told(way, made)) for way in WAYS] + [
        told(walked, Gives(x)), told(looped, Gives((x, 2))), told(unpacked, Gives({x: 1, 2: 3})), told(starred, Gives("ab")),
        told(walked, Gives(range(x))), told(looped, Gives(map(abs, [x]))), told(joined, Gives(None)),
        told(walked, Gives(np.zeros(2))), told(iter, Gives(np.float64(x))), told(looped, Gives(np.arange(x).sum())),
    ]


CALLS = [(1, True), (1, False), (5, False), (5, True)]
