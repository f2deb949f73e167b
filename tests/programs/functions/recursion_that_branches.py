"""A function that calls itself twice each time, to a fixed depth: not more than 1,000 calls are traced."""

import numpy as np


def leaves(depth):
    return 1 if depth == 0 else leaves(depth - 1) + leaves(depth - 1)


def f(x):
    def twice(value, depth):
        return value if depth == 0 else twice(value, depth - 1) + twice(value, depth - 1)

    return twice(x, 3), x * leaves(10)


CALLS = [(1.5,), (np.arange(3),)]
PLAIN = "AT207"
