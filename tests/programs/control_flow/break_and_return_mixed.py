"""A loop that is left both by `break` and by `return`."""

import numpy as np

def f(x, a, b):
    found = -1
    for i, v in enumerate(x):
        if v == a:
            found = i
            break
        if v == b:
            return "early", i
        found -= 1
    return "late", found

CALLS = [(np.array([1.0, 2.0, 3.0]), 2.0, 9.0), (np.array([1.0, 2.0, 3.0]), 9.0, 3.0), (np.array([1.0, 2.0, 3.0]), 9.0, 8.0)]
