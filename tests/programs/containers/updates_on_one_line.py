"""Arrays made and changed on one line, through variables that are read once."""

import numpy as np

def f(x, n):
    t = np.sort(x); t += 1
    t = x * 2; t *= 3; t -= 2
    u = x[::-1]; u **= 2
    u = x.T; u -= 1; u += t
    if n > 1: v = np.sort(x); v += t
    for row in (x[1:] * 2, x[:1]): row += n
    w = x[n:]; w[0] = x[n + 1]
    return x

CALLS = [(np.arange(5.0), 1), (np.arange(5.0), 3), (np.arange(5.0), 4), (np.arange(5.0), 5)]
