"""Other statements: print traced."""

import numpy as np

def f(s):
    if s > 0:
        print('value', s)
    return s * 2

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
