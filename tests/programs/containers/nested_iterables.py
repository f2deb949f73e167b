"""`enumerate`, `zip` and `reversed`, nested."""

import numpy as np

def f(x, y):
    total = 0.0
    for i, (a, b) in enumerate(zip(x, reversed(y))):
        total += i * a - b
    for (j, v), w in zip(enumerate(x, 5), y):
        total = total * 0.5 + j * v * w
    for k, row in reversed(list(enumerate(y))):
        total += k * row
    return total

CALLS = [(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])), (np.array([1.0]), np.array([1.0, 2.0])), (np.array([]), np.array([]))]
