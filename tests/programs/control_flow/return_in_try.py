"""`return` inside `try` with `finally`."""

import numpy as np

LOG = []

def f(s):
    try:
        if s > 0:
            return s * 2
        s = s - 1
    finally:
        LOG.append("done")
    return s

CALLS = [(np.float64(1.0),), (np.float64(-1.0),)]
AFTER = "LOG"
