"""Methods, `super`, properties, class and static methods."""

import numpy as np

class Base:
    factor = 2

    def __init__(self, v):
        self._v = v

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, new):
        if new > 10:
            new = new * 0 + 10
        self._v = new

    @classmethod
    def make(cls, v):
        return cls(v * cls.factor)

    @staticmethod
    def twice(v):
        return v * 2

    def act(self, s):
        return self.v + s

class Child(Base):
    factor = 3

    def act(self, s):
        r = super().act(s)
        if r > 0:
            r = self.twice(r)
        return r

def f(s):
    c = Child.make(s)
    c.v = c.v + 1
    c.v += 2
    return c.act(s), c.v, Base.make(s).act(1)

CALLS = [(np.float64(1.0),), (np.float64(50.0),), (np.float64(-9.0),)]
