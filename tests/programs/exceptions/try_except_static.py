"""Exceptions: try except static."""

import numpy as np

def f(s):
    try:
        d = {}
        r = d['missing']
    except KeyError:
        r = s * 2
    return r

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
