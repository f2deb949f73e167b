"""`range` of a float raises as Python does."""

import numpy as np

def f(n):
    for i in range(n):
        pass
    return 1

CALLS = [(3,), (2.5,), (np.float64(2.0),)]
