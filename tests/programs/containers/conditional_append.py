"""`append` under a condition, in a loop."""

import numpy as np

def f(x, n):
    out = []
    for i in range(n):
        if x[i] > 0:
            out.append(x[i] * 2)
        elif x[i] < -2:
            out.append(None)
    return out

CALLS = [(np.array([1.0, -1.0, 3.0, -5.0]), 4), (np.array([-1.0]), 1), (np.array([1.0]), 0)]
