"""Loops over lists, tuples, dicts and strings."""

import numpy as np

def f(x, y):
    total = 0.0
    for a in (x, y):
        total = total + a.sum()
    for k, v in {"a": x, "b": y}.items():
        total = total * 2 + v[0] + len(k)
    for k in {"a": 1, "bc": 2}:
        total += len(k)
    for c in "xyz":
        total += ord(c)
    for v in {"p": x}.values():
        total += v[-1]
    return total

CALLS = [(np.array([1.0, 2.0]), np.array([3.0, 4.0]))]
