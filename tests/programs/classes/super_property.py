"""Classes: super property."""

import numpy as np

class Base:
    def act(self, s):
        return s + 1
class D(Base):
    @property
    def two(self):
        return 2
    def act(self, s):
        r = super().act(s)
        if r > 0:
            r = r * self.two
        return r
o = D()
def f(s):
    return o.act(s)

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
