"""What was taken from an iterator is gone: `zip`, `enumerate`, `map` and generators, walked again, in part or whole."""

import numpy as np

def first_large(pairs):
    for i, v in pairs:
        if v > 1:
            return i
    return -1

def f(x, k, n):
    numbered = enumerate(x)
    at = first_large(numbered)
    behind = [v for _, v in numbered]
    doubled = (v * 2 for v in x)
    total, nothing = sum(doubled), sum(doubled)
    pairs = zip(x, x + 1)
    together = 0.0
    for i in range(n):
        for a, b in pairs:
            together += a * b + i
    rest = reversed([1, 2, 3])
    last = next(rest)
    some = map(abs, x)
    if k > 0:
        count = len(list(some))
    else:
        count = max(some, default=0)
    return at, behind, total, nothing, together, last, list(rest), count, list(some), next(some, "end"), any(doubled)

CALLS = [
    (np.arange(5.0), 1.0, 2),
    (np.arange(5.0), -1.0, 0),
    (np.zeros(2), 1.0, 3),
    (np.zeros(0), -1.0, 1),
]
