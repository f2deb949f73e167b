"""A global is also an attribute of its module and an item of its dict: one place, whatever it is written through."""

import operator
import sys

import numpy as np

ME = sys.modules[__name__]
X, Y = 1.0, 1.0


class K:
    count = 1.0


def g():
    pass


g.n = 1.0


def by_module(x, k):
    global Y
    before, ME.X = ME.X, x
    seen = X
    Y = x + 1
    if k > 0:
        ME.X = x * 5
    for _ in range(k):
        Y = Y + 1
        ME.Y += 1
    return before, seen, X, Y, ME.Y


def by_dict(x):
    namespace, attributes = g.__globals__, g.__dict__
    namespace["X"] = x
    first = X, ME.X
    ME.__dict__["X"] = x + 7
    g.n = x
    second = X, namespace["X"], attributes["n"]
    attributes["n"] = x + 5
    return first, second, ME.X, g.n


def new_names(x):
    global NEW
    namespace = ME.__dict__
    size = len(namespace)
    NEW = x
    grown = len(namespace) - size, "NEW" in namespace, ME.NEW
    del ME.NEW
    try:
        left = NEW
    except NameError:
        left = "gone"
    return grown, left, len(namespace) - size, "NEW" in namespace


def opaque(x):
    before = X, K.count
    type.__setattr__(K, "count", x)
    operator.setitem(ME.__dict__, "X", x + 1)
    return before, X, K.count


def f(x, k):
    return by_module(x, k), by_dict(x), new_names(x), opaque(x)


CALLS = [(2.0, 0), (3.0, 1), (4.0, 2), (np.ones(2), 2)]
AFTER = "X, Y, g.n, K.count, 'NEW' in globals()"
