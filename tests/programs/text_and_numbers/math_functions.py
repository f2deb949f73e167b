"""`math` on traced numbers."""

import numpy as np

import math

def f(s):
    if s < 0:
        return math.nan
    return math.exp(s) + math.log(s + 1) * math.pi, math.isfinite(s), math.hypot(s, 3), math.floor(s), math.gcd(12, 18)

CALLS = [(np.float64(1.0),), (0.5,), (-1,), (np.inf,)]
