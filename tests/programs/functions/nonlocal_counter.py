"""A nested function counts through `nonlocal`, in a loop and a branch."""

import numpy as np

def f(x):
    count = 0
    total = 0.0

    def hit(v):
        nonlocal count, total
        count += 1
        total = total + v

    for v in x:
        if v > 0:
            hit(v)
    hit(100.0)
    return count, total

CALLS = [(np.array([1.0, -2.0, 3.0]),), (np.array([]),)]
