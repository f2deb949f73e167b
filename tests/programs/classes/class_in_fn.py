"""Classes: class in fn."""

import numpy as np

class V:
    def __init__(self, a):
        self.a = a
    def norm(self):
        if self.a > 0:
            return self.a
        return -self.a
def f(s):
    return V(s).norm()

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
