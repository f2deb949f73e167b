"""Objects as arguments, by attribute."""

import numpy as np

import types

def f(c):
    c.count += 1
    if c.scale > 1:
        c.out = c.x * c.scale
    else:
        c.out = None
    return c.count, c.out

CALLS = [(types.SimpleNamespace(count=0, scale=2.0, x=np.ones(2)),), (types.SimpleNamespace(count=4, scale=np.float64(0.5), x=3.0),)]
