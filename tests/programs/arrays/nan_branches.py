"""NaN and signed zero in conditions."""

import numpy as np

def f(s):
    r = []
    if s == s:
        r.append("eq")
    if not s < 0 and not s > 0:
        r.append("neither")
    if s:
        r.append("true")
    return r, np.signbit(s), max(s, 0.0), min(0.0, s)

CALLS = [(np.float64(v),) for v in (1.0, np.nan, 0.0, -0.0, -3.0)]
