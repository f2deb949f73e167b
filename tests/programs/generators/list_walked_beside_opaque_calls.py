"""A list from outside that a loop rebinds, in a loop that also calls opaque code."""

import numpy as np

LOG = []


class Owner:
    def __init__(self):
        self.rng = np.random.default_rng(3)


owner = Owner()
KEPT = owner.rng.bit_generator.state


def f(h, on, n, items):
    k = 0
    while k < 3 and on:
        k += 1
        items = [v for v in items if not n]
        try:
            LOG.append(owner.rng.random())
        except ValueError:
            h.bit_generator.state = KEPT
    return items


CALLS = [
    (np.random.default_rng(1), 0.5, 3, [1, 2.0, 3]),
    (np.random.default_rng(1), 0.5, 0, [1, 2.0, 3]),
    (owner.rng, 1, 0, []),
    (owner.rng, 0.0, 0, [1.0]),
]
AFTER = "LOG"
