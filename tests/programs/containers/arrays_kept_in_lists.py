"""A list keeps arrays, not copies: what is written to one shows in it, and one array may stand in it twice."""

import numpy as np


def f(x, n):
    buffer, seen, steps = np.zeros_like(x), [], []
    y = x
    for i in range(n):
        buffer += i
        seen.append(buffer)
        y = y + buffer
        steps.append(y)
    if n > 1:
        steps[0][0] = 99.0
    return seen, steps, y, [one is buffer for one in seen]


CALLS = [(np.array([1.0, 2.0]), 3), (np.array([1.0]), 1), (np.array([1.0]), 0)]
