"""A manager that may suppress an exception: what the body changed before it is seen afterwards, the rest is not."""

import contextlib

import numpy as np

class Config:
    limit = 1.0
    tries = 0

def f(x, k):
    found = [0.0]
    with contextlib.suppress(IndexError):
        Config.tries = 1
        found.append(x[k])
        Config.limit = 5.0
        found.append(x[k + 1])
        Config.tries = 2
    with contextlib.suppress(ValueError):
        if k > 1:
            Config.limit = 7.0
            raise ValueError(k)
    return Config.limit, Config.tries, found


CALLS = [(np.arange(3.0), k) for k in range(4)]
AFTER = "Config.limit, Config.tries"
