"""Attributes of local functions: set here, by opaque code, deleted, and asked for with a default."""

import functools
import operator

import numpy as np


def f(x, n):
    def given(t, by=1):
        """Given."""
        return t + by

    def wrapper(t):
        return t

    def other(t, by=1):
        return t * by

    given.tag = n
    found = [given.tag, hasattr(given, "tag"), getattr(given, "tag", 0), getattr(given, "none", 0)]
    del given.tag
    found += [hasattr(given, "tag"), given(x), operator.call(given, n)]
    functools.update_wrapper(wrapper, given)
    found += [wrapper.__name__, wrapper.__doc__, wrapper.__wrapped__ is given, wrapper(x)]
    operator.call(setattr, other, "__defaults__", (n,))
    return found, other(x), operator.call(other, x), vars(other)


CALLS = [(np.array([1.0, 2.0]), 3), (np.array([0.5]), 2)]
