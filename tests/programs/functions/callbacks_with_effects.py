"""Functions handed to `sorted`, `max`, `reduce` and NumPy: what they do happens once, and is seen afterwards."""

import functools
import numpy as np

AFTER = "SEEN, COUNT"
SEEN = []
COUNT = 0

def key(v):
    SEEN.append(float(v))
    return -v

def length(items):
    global COUNT
    COUNT += 1
    return len(items)

def add(a, b):
    global COUNT
    COUNT += 1
    return a + b

def total(column):
    global COUNT
    COUNT += 1
    return column.sum()

def f(x, rows):
    longest = max(rows, key=length)
    first = COUNT
    ordered = sorted(x, key=key)
    summed = functools.reduce(add, x, 1.0)
    columns = np.apply_along_axis(total, 0, np.outer(x, x))
    own = list(x)
    own.sort(key=key)
    return ordered, longest, first, summed, columns, own, COUNT, len(SEEN)

CALLS = [(np.array([2.0, 1.0, 3.0]), [[1], [2, 3]]), (np.array([1.0]), [[]])]
