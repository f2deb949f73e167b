"""Generators: nested, with early stops, `yield from` and state."""

import numpy as np

def count(n):
    i = 0
    while True:
        if i >= n:
            return
        yield i
        i += 1

def pairs(x):
    for i in count(len(x)):
        if x[i] > 0:
            yield i, x[i]
    yield -1, 0.0

def flat(x):
    yield 100.0
    yield from (v for _, v in pairs(x))

def f(x, limit):
    total = 0.0
    for i, v in pairs(x):
        total += i * v
        if total > limit:
            break
    return total, sum(flat(x)), list(flat(x)), max(v for v in flat(x))

CALLS = [(np.array([1.0, -2.0, 3.0, 4.0]), 5.0), (np.array([1.0]), 100.0), (np.array([]), 0.0)]

def noise(rng):
    return (rng.normal(size=4), float(rng.uniform(-1, 3)))
