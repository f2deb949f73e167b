"""An algorithm: bubble sort."""

import numpy as np

def f(x):
    y = x * 1
    n = len(y)
    for i in range(n):
        for j in range(n - 1 - i):
            if y[j] > y[j + 1]:
                t = y[j] * 1
                y[j] = y[j + 1]
                y[j + 1] = t
    return y

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]),),
    (np.array([-4.0, 2.0, -1.0, -0.5]),),
]
