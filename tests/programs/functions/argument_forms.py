"""Defaults, keyword-only, `*args` and `**kwargs` of helpers."""

import numpy as np

def h(a, b=2, *rest, c=3, **more):
    return a + b * 10 + sum(rest) * 100 + c * 1000 + len(more)

def f(s):
    args = (1, 2)
    kw = {"c": 5, "z": 1}
    return h(s), h(s, 1), h(s, *args, 7), h(s, c=1), h(s, **kw), h(*args, **kw), h(b=s, a=1)

CALLS = [(np.float64(1.0),), (3,)]
