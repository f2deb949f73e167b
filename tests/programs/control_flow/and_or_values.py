"""`and` and `or` return operands and short-circuit."""

import numpy as np

def f(a, b):
    x = a and b
    y = a or b
    z = a and b or 7
    return x, y, z, not a

CALLS = [(np.float64(0.0), np.float64(2.0)), (np.float64(1.0), np.float64(0.0)), (2, 0), (0, 3), (0.0, ""), ([], {})]
