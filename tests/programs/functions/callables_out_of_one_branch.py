"""Partials and methods of values of a branch are used after it, where the other branch raises."""

import functools

import numpy as np


def chosen(x, kind):
    if x.sum() < 0:
        raise ValueError(kind)
    doubled = x * 2.0
    if kind == "partial":
        return functools.partial(np.add, doubled)
    if kind == "named":
        return functools.partial(scaled, by=doubled)
    if kind == "method":
        return doubled.dot
    return Scale(doubled).times


def scaled(x, by):
    return x * by


class Scale:
    def __init__(self, by):
        self.by = by

    def times(self, x):
        return x * self.by


def found(x, kind):
    try:
        return chosen(x, kind)
    except ValueError as error:
        raise TypeError(str(error)) from None


def f(x, kind):
    function = found(x, kind)
    return function(x), function(x + 1.0)


X = np.arange(3.0)
CALLS = [(X, "partial"), (X, "named"), (X, "method"), (X, "own"), (-X, "own"), (-X, "partial")]
