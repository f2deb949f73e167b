"""A helper defined after the function, calling it back."""

import numpy as np

def f(n):
    return is_even(n)

def is_even(n):
    for _ in range(3):
        if n < 2:
            return n == 0
        n = n - 2
    return None

CALLS = [(4,), (5,), (np.int64(9),)]
