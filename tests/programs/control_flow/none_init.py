"""Names that may be unbound: none init."""

import numpy as np

def f(x):
    best = None
    for v in x:
        if best is None or v > best:
            best = v
    return best

CALLS = [
    (np.array([1.0, -2.0, 3.0, 0.5]),),
    (np.array([-4.0, 2.0, -1.0, -0.5]),),
]
