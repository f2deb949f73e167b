"""Other statements: walrus while."""

import numpy as np

def f(s):
    k = 0
    while (t := s - k) > 0:
        k = k + 2
    return t

CALLS = [
    (np.float64(5.0),),
    (np.float64(-1.0),),
]
