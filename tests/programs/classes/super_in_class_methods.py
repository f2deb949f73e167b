"""`super()` in a class method is bound to the class, not to an instance."""

import abc

import numpy as np

class Base(abc.ABC):
    rate = 2.0

    def __init__(self, x):
        self.x = x

    @classmethod
    def make(cls, x):
        return cls(x)

    @classmethod
    def named(cls, x):
        return cls.__name__, x * cls.rate

    @staticmethod
    def twice(x):
        return x * 2

    def plus(self, y):
        return self.x + y

class Child(Base):
    rate = 3.0

    @classmethod
    def make(cls, x):
        return super().make(x + 1)

    @classmethod
    def named(cls, x):
        return super().named(x), super().twice(x), super().rate, super().plus(cls.make(x), x)

class Grandchild(Child):
    pass

def f(x):
    made = [cls.make(x) for cls in (Base, Child, Grandchild)]
    return [(type(one).__name__, one.x) for one in made], Child.named(x), Grandchild.named(x)

CALLS = [(1.5,), (np.arange(3.0),), (2,)]
