"""Classes that Python makes no instance of: an abstract method is missing, `__init__` gives something."""

import abc


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self):
        pass


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side


class Giving:
    def __init__(self, x):
        self.x = x
        if type(x) is int:
            return [x]


def f(x):
    found = []
    for kind, *args in ((Shape,), (Square, x), (Giving, x)):
        try:
            made = kind(*args)
            found.append(made.area() if isinstance(made, Shape) else made.x)
        except TypeError as error:
            found.append(str(error))
    return found


CALLS = [(2.0,), (3,)]
PLAIN = "AT202"
