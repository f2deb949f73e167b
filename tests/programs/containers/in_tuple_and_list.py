"""Membership in tuples, lists, dicts, ranges and arrays."""

import numpy as np

TABLE = {"a": 1}

def f(x, s, k):
    hits = []
    if s in (1.0, 2.0):
        hits.append("tuple")
    if s not in [3.0, 4.0]:
        hits.append("list")
    if k in TABLE:
        hits.append("dict")
    if s in x:
        hits.append("array")
    if 3 in range(0, 10, 3):
        hits.append("range")
    return hits

CALLS = [(np.array([1.0, 5.0]), np.float64(1.0), "a"), (np.array([3.0]), np.float64(3.0), "b")]
