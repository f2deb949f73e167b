"""Containers as arguments, read and changed."""

import numpy as np

def f(d, items, pair):
    total = 0.0
    for k in d:
        total = total + d[k].sum()
    items.append(total)
    items[0] = items[0] * 2
    d["new"] = items[0]
    a, (b, c) = pair
    return total + a + b * c, len(items), sorted(d)

CALLS = [({"a": np.ones(2), "b": np.arange(3.0)}, [1.0, 2.0], (1, (2.0, 3))), ({}, [np.float64(5.0)], (0, (1, 1)))]
