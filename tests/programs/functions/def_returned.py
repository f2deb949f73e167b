"""A nested function that is handed out, one of two: the function runs as plain Python."""

import numpy as np

PLAIN = "AT204"

def f(x, k):
    found = {}

    def g(v):
        return v + k

    if k > 1:

        def g(v):
            return v - k

    found["g"] = g
    KEPT.update(found)
    return g(x)

KEPT = {}
CALLS = [(np.ones(3), 2), (np.ones(3), 0)]
AFTER = "KEPT['g'](1)"
