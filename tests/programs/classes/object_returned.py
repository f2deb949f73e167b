"""An instance made inside is returned."""

import numpy as np

class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

def f(s):
    p = Point(s, s * 2)
    if s > 0:
        p.y = p.y + 1
    return p

CALLS = [(np.float64(1.0),), (np.float64(-1.0),)]
