"""An exception raised under a traced condition and caught."""

import numpy as np

def f(s):
    try:
        if s < 0:
            raise ValueError("negative")
        r = s * 2
    except ValueError:
        r = s * 0 - 1
    return r

CALLS = [(np.float64(3.0),), (np.float64(-3.0),)]
