"""Outside state: time baked."""

import numpy as np

import time
def f(s):
    return s + (time.perf_counter() % 1000)

CALLS = [
    (np.float64(1.0),),
    (np.float64(1.0),),
]
VARIES = True
