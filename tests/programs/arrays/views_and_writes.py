"""Views, views of views, and writes through each of them."""

import numpy as np

def f(x):
    a = x[1:]
    b = a[::2]
    t = x.reshape(2, -1)
    b[0] = 100.0
    a *= 2
    t[1, 0] = -1.0
    row = t[0]
    row += 1
    c = x.T.copy()
    c[0] = 7
    return x, a, b, t, row, c

CALLS = [(np.arange(6.0),), (np.arange(4.0),)]
