"""Imports inside the function."""

import numpy as np

import math

def f(s):
    import math as m
    from math import pi, floor
    import numpy.linalg
    return m.sqrt(s) + pi, floor(s), numpy.linalg.norm([s, s])

CALLS = [(np.float64(4.0),), (2,)]
