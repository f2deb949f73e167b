"""An integer of Python's alone decides what NumPy makes of it: an ``int64``, a ``uint64``, or an ``int`` again."""

import numpy as np


def f(n):
    found = []
    for value in (np.abs(n), np.negative(n), np.square(n), np.sign(n), np.abs(2**63), np.positive(2**64)):
        found.append((type(value), isinstance(value, np.signedinteger), str(value)))
    size = np.abs(n)
    kind = size.dtype if isinstance(size, np.generic) else None
    return found, size, kind, np.abs(2**63) + np.uint64(1)


CALLS = [(3,), (-4,), (2**63,), (10**20,), (-(2**63) + 1,), (0,)]


def noise(rng):
    return (int(rng.choice([0, 5, -7, 2**31, 2**62, 2**63, 2**64, -(2**70)])),)
