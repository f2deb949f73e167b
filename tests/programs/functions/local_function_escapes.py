"""Lambdas that opaque code is to call exist when the program runs."""

import numpy as np

def apply(function, x):
    return np.apply_along_axis(function, 0, x)

def f(x, y):
    fitted = np.piecewise(x, [x < 1, x >= 1], [lambda v: -v, 5])
    return fitted, np.fromfunction(lambda i: i * y, (3,)), apply(lambda column: column.sum() + y, x)

CALLS = [(np.arange(3.0), 2.0)]
