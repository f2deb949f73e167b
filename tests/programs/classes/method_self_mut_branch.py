"""Classes: method self mut branch."""

import numpy as np

class M:
    def __init__(self):
        self.v = None
    def run(self, s):
        self.v = s
        if s > 0:
            self.v = s * 2
        return self.v
m = M()
def f(s):
    return m.run(s)

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
