"""Opaque calls that change a list of the module's: its length and its items are what they are then."""

import numpy as np

SEEN, KEPT = [1.0], [3.0, 4.0]


def visit(v):
    SEEN.append(float(v))
    return v * 2


def f(x, n):
    doubled = np.vectorize(visit)(x)
    after = len(SEEN), SEEN[-1], bool(SEEN), len(KEPT), KEPT[-1]
    lengths = []
    for i in range(n):
        np.vectorize(visit)(x[:1])
        lengths.append(len(SEEN))
        SEEN[-1] = i * 1.0
        SEEN[len(SEEN) - 1] += 0.5
    total = 0.0
    for v in KEPT:
        total = total + v
    return doubled, after, lengths, SEEN[-1], total, [v + 1 for v in KEPT]


CALLS = [(np.ones(2), 2), (np.arange(3.0), 0), (np.arange(3.0), 1)]
AFTER = "SEEN, KEPT"
