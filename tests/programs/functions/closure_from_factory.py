"""A factory's functions keep their own cells."""

import numpy as np

def make():
    count = 0

    def bump(s):
        nonlocal count
        count += 1
        return s + count

    return bump

f = make()

CALLS = [(np.float64(1.0),), (np.float64(1.0),), (np.float64(5.0),)]
