"""An object that is replaced in a loop and changed afterwards."""

import numpy as np

class Box:
    def __init__(self, v):
        self.v = v

def f(s, n):
    first = Box(s)
    box = first
    for _ in range(n):
        box = Box(box.v + 1)
    box.v = box.v * 10
    return first.v, box.v, first is box

CALLS = [(np.float64(1.0), 2), (np.float64(1.0), 0)]
