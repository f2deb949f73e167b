"""Sets from outside: members of other types, signs or orders are other sets, and each is iterated as it stands."""

import numpy as np

GROWN = set(range(100))
GROWN -= set(range(100)) - {9, 16}
"""Iterates over 9 first; a fresh set of the two over 16."""

KNOWN = {1}


def f(s, x):
    listed = [v * x for v in s]
    total = 0
    for v in KNOWN:
        total = total + v * x
    return listed, total, list(KNOWN), [v * x for v in GROWN], list(GROWN), ",".join(map(str, GROWN))


CALLS = [
    ({0, 8}, np.ones(2)),
    ({8, 0}, np.ones(2)),
    ({True}, np.ones(2)),
    ({1.0}, np.ones(2)),
    ({0.0}, np.ones(2)),
    ({-0.0}, np.ones(2)),
    ({-0.0}, np.ones(2)),
]
BEFORE = {6: "KNOWN = {True}"}
