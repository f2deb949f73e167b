"""Dicts under keys that follow from where a loop stands: they hold as many items as there are data."""

import numpy as np

def f(n, x):
    parts = [np.arange(i) for i in range(n)]
    by_number = {i: part.sum() for i, part in enumerate(parts)}
    named = {}
    for i, value in enumerate(x):
        named[f"x{i}"] = value
        named[i, i + 1] = -value
    rest = {}
    for i in range(len(x)):
        if i % 3 not in rest:
            rest[i % 3] = []
        rest[i % 3].append(x[i])
    return by_number, named, rest, len(by_number), {i for i, _ in enumerate(parts)}

CALLS = [(3, np.array([2.0, 1.5])), (0, np.array([])), (7, np.arange(5.0)), (1, np.arange(3))]

def noise(rng):
    return int(rng.integers(0, 6)), rng.random(int(rng.integers(0, 8)))
