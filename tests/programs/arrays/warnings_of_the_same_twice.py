"""What is written twice in an expression warns twice, in a branch and a loop too."""

import numpy as np

WARNS = True


def f(x, s):
    both = np.log(x) + np.log(x)
    inverse = 1.0 / x
    if s > 0:
        both = both + 1.0 / x
    total = s / (s - s) - s / (s - s)
    for _ in range(2):
        total = total + np.log(x).sum() + 1.0 / s
    return both, inverse, total, x * 1e308 + x * 1e308


CALLS = [
    (np.array([0.0, 1.0]), np.float64(1.0)),
    (np.array([-1.0, 20.0]), np.float64(0.0)),
    (np.array([2.0]), np.float64(-3.0)),
]
