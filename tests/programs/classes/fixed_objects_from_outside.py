"""Objects that cannot change themselves, but can be others at the next call: slices, frozen sets, getters, errors."""

import numpy as np

import operator

WINDOW = np.s_[1:3]
BLOCKS = {"a": slice(0, 2), "b": (slice(None), 1)}
ALLOWED = frozenset({1, 2})
GET = operator.itemgetter(0)
PROBLEM = ValueError("first")

def attempt(function):
    try:
        return function()
    except ValueError as error:
        return str(error)

def fail(error):
    raise error

def f(x, window, allowed, getter, k):
    found = [x[WINDOW], x[window], x[BLOCKS["a"]], np.outer(x, x)[BLOCKS["b"]]]
    found.append((k in ALLOWED, k in allowed, len(allowed), sorted(allowed), [v for v in allowed]))
    found.append((GET(x), getter([x, k])))
    found.append((attempt(lambda: fail(PROBLEM)), window.start, window == slice(0, 2)))
    x[window] = 0
    return found, x

CALLS = [
    (np.arange(5.0), slice(0, 2), frozenset({1}), operator.itemgetter(0), 1),
    (np.arange(5.0), slice(2, None), frozenset({1, 3}), operator.itemgetter(1), 1),
    (np.arange(5.0), np.s_[::2], frozenset({True}), operator.itemgetter(0, 1), 3),
    (np.arange(5.0), np.s_[-1:0:-1], frozenset({1.0}), len, 3),
]
BEFORE = {
    1: "WINDOW = slice(2, 4); ALLOWED = frozenset({2}); BLOCKS['a'] = slice(1, 4)",
    2: "GET = operator.itemgetter(2); PROBLEM = ValueError('second'); BLOCKS['b'] = (0, slice(2))",
}
