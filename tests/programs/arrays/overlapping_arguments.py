"""Two arguments that share memory."""

import numpy as np

def f(a, b):
    a[1:] = b[:-1] + 1
    b += a
    return a, b

_base = np.arange(5.0)
CALLS = [(_base, _base), (_base[:3], _base[2:]), (np.arange(3.0), np.arange(3.0))]
