"""State carried by a loop: carry tuple."""

import numpy as np

def f(s, n):
    t = (s, s + 1)
    for i in range(n):
        t = (t[1], t[0] * 2)
    return t[0], t[1]

CALLS = [
    (np.float64(1.0), np.int64(3),),
    (np.float64(1.0), np.int64(4),),
]
