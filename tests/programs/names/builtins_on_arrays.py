"""Builtins applied to traced values."""

import numpy as np

def f(x, s, n):
    return (
        max(s, n), min(s, 2, n), abs(-s), round(s, 1), round(s), divmod(n, 3), pow(n, 2), pow(n, 2, 5),
        sum(x), max(x), min(x), sorted(x), len(x), int(s), float(n), bool(n), complex(s), str(n),
        list(x), tuple(x), any(x > 2), all(x > 0), isinstance(x, np.ndarray), isinstance(s, float), type(n).__name__,
        list(map(lambda v: v * 2, x)), list(filter(lambda v: v > 1, x)), list(reversed(x)), list(range(n)),
    )

CALLS = [(np.array([1.0, 3.0, 2.0]), np.float64(2.5), 3), (np.array([5, 1]), 1.5, np.int64(2))]
