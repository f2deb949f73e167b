"""After a branch is decided, two names of one value are captured by a region as one, with all that is known of it."""

import numpy as np


def f(x, s, n):
    for _ in reversed(x):
        try:
            x[n]
        except ValueError:
            return 7
    else:
        s = n
    if (x > n).any():
        return -s < abs(0.5)
    elif n and 0 < n < 5:
        return n and all(v < 9 for v in x)


CALLS = [(np.ones(3), 0.5, 2), (np.ones(3), 0.5, 0), (np.zeros(3), 0.5, -1), (np.ones(0), 0.5, 2)]
