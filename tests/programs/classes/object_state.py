"""An object whose attributes a loop changes."""

import numpy as np

class Acc:
    def __init__(self, start):
        self.total = start
        self.n = 0

    def add(self, v):
        self.total = self.total + v
        self.n += 1
        return self

def f(x):
    acc = Acc(x[0] * 0)
    for v in x:
        if v > 0:
            acc.add(v)
    return acc.total, acc.n

CALLS = [(np.array([1.0, -2.0, 3.0]),), (np.array([-1.0]),)]
