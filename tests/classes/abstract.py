"""An abstract class and what derives from it."""

import abc


class A(abc.ABC):
    @abc.abstractmethod
    def area(self): ...
    def desc(self):
        return f"{type(self).__name__} {self.area()}"


class B(A):
    def __init__(self, r):
        self.r = r

    def area(self):
        return self.r * 3


def use(x):
    try:
        A()
    except TypeError as e:
        err = str(e)
    return B(x).desc(), err, isinstance(B(1), A), A.__abstractmethods__
