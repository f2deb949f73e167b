"""The compiled function calls itself, with one call and with two, until a traced value says stop."""

import numpy as np

class Tree:
    def __init__(self, depth):
        self.depth = depth

    def leaves(self, n):
        if n < 2:
            return self.depth
        return self.leaves(n - 1) + self.leaves(n - 2)

def f(n):
    if n < 2:
        return n, 0
    first, _ = f(n - 1)
    second, _ = f(n - 2)
    return first + second, Tree(1).leaves(n)

CALLS = [(7,), (0,), (np.int64(5),)]
PLAIN = "AT203"

def noise(rng):
    return (int(rng.integers(0, 8)),)
