"""`item`, `int`, `float`, `bool` and `tolist` in control flow."""

import numpy as np

def f(x, i):
    k = int(x[0])
    if bool(x[1] > 0) and float(x[1]) < 10:
        k += x[1].item()
    total = 0
    for v in x.tolist():
        total += v
    return k, total, x[int(i)], x.astype(int).tolist()

CALLS = [(np.array([2.0, 3.0, 4.0]), np.int64(1)), (np.array([2.0, -3.0]), 0)]
