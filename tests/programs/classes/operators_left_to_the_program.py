"""Whether a method declines depends on data, and whose turn comes next on an object of unknown class."""

import functools

import numpy as np


class Gain:
    def __init__(self, value):
        self.value = value

    def __mul__(self, other):
        return table(self, other)["result"]

    def __rmul__(self, other):
        return Gain(self.value * 10.0)

    def __eq__(self, other):
        return table(self, other)["same"]

    def __iadd__(self, other):
        return table(self, other)["added"]

    __hash__ = None


def table(gain, other):
    if not isinstance(other, Gain):
        return {"result": NotImplemented, "same": NotImplemented, "added": NotImplemented}
    return {"result": Gain(gain.value * other.value), "same": gain.value == other.value, "added": gain}


def value(x):
    return x.value if isinstance(x, Gain) else x


def f(x, held, i):
    first, other = Gain(x.sum()), held[i]
    product = first * other
    chained = functools.reduce(lambda left, right: right * left, [Gain(2.0), other, first])
    same = first == other
    first += other
    return value(product), value(chained), same, value(first)


X = np.arange(3.0)
HELD = np.array([Gain(3.0), Gain(4.0), None], dtype=object)
CALLS = [(X, HELD, 0), (X, HELD, 1), (-X, HELD[::-1], 1)]
PLAIN = "AT201"
