"""Generators: generator traced branch."""

import numpy as np

def g(x):
    for i in range(4):
        if x[i] > 0:
            yield x[i]
def f(x):
    s = x[0] * 0
    for v in g(x):
        s = s + v
    return s

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]),),
    (np.array([-4.0, 2.0, -1.0, -0.5]),),
]
