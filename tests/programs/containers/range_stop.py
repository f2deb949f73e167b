"""Two ranges may be equal and tell of another `stop`."""

import numpy as np

R = range(0, 3, 2)

def f(x, r):
    s = range(0, 5, 2)
    t = range(0, 6, 2)
    return [x[i] for i in r], r.stop, R.stop, s.stop, t.stop, s == t

CALLS = [(np.arange(5.0), range(0, 3, 2)), (np.arange(5.0), range(0, 4, 2))] * 2
BEFORE = {3: "R = range(0, 4, 2)"}
