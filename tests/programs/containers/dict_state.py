"""A dict that a loop changes and fills."""

import numpy as np

def f(x, n):
    d = {"sum": 0.0, "count": 0}
    for i in range(n):
        d["sum"] += x[i]
        d["count"] += 1
        if x[i] > 2:
            d["big"] = x[i]
    return d, d.get("big", "none")

CALLS = [(np.array([1.0, 3.0, 2.0]), 3), (np.array([1.0, 3.0]), 1), (np.array([1.0]), 0)]
