"""`acc = 0` and then floats: the type depends on the trip count."""

import numpy as np

def f(x):
    acc = 0
    for v in x:
        acc += v
    return acc

CALLS = [(np.array([1.5, 2.5]),), (np.array([]),), (np.array([1, 2]),)]
