"""String formatting of traced values."""

import numpy as np

def f(s, k):
    a = "%.3f and %d" % (s, k)
    b = "{:>8.2f} {}".format(s, k)
    c = str(s) + repr(k)
    return a, b, c, "-".join([str(k), "x"]), a.upper(), len(b)

CALLS = [(np.float64(1.25), 3), (2.0, np.int64(4))]
