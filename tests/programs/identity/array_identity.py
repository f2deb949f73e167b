"""Arrays that are equal are still two arrays, for who looks."""

import numpy as np

def f(x):
    a = x + 1
    b = x + 1
    c = a
    d, e = x * 2, x * 2
    return a is b, a is c, np.shares_memory(a, b), np.shares_memory(a, c[1:]), np.may_share_memory(d, e), (d is not e)

CALLS = [(np.arange(3.0),), (np.arange(4),)]
