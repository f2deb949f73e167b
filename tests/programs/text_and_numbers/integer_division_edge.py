"""Division and remainder of NumPy integers, signs and zero."""

import numpy as np

def f(a, b):
    return a // b, a % b, np.divmod(a, b), np.fmod(a, b), -a // b

CALLS = [(np.array([7, -7, 5]), np.array([2, 2, -3])), (np.array([1, 2]), np.array([0, 1])), (np.int64(-7), np.int64(2))]
