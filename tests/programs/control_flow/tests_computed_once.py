"""What a test says is computed once, where the branch below it asks the same again."""

import numpy as np


def f(x, n):
    left = []
    for v in [1.0, n, 2]:
        try:
            left.append(x[n] == 1.0)
        except IndexError:
            if 0 < n and 0 < v < 5:
                continue
            x[-1] += v
    both = (n > 2 and (n > 2 or x[0])) or (n > 2 and x[0])
    return left, both, (x[0] > 0 or not x[0] > 0) and x[0] > 0


CALLS = [(np.ones(3), np.int64(2)), (np.ones(3), np.int64(7)), (np.zeros(1), -3), (np.ones(2, "f4"), 0)]
