"""`match` on literals, or-patterns and wildcards."""

import numpy as np

def f(k, s):
    match k:
        case 0:
            return s
        case 1 | 2:
            s = s * 2
        case "neg":
            s = -s
        case None:
            return "none"
        case _:
            s = s + 100
    return s

CALLS = [(0, 1.0), (1, 1.0), (2, 1.0), ("neg", 1.0), (None, 1.0), (9, 1.0), (np.int64(2), np.float64(3.0))]
