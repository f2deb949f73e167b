"""`finally` runs while an exception goes on."""

import numpy as np

LOG = []

def f(x, i):
    try:
        r = x[i]
    finally:
        LOG.append("finally")
    return r

CALLS = [(np.array([1.0, 2.0]), 1), (np.array([1.0, 2.0]), 5)]
AFTER = "LOG"
