"""Attributes of a class that its metaclass holds, which is one of the standard library: properties, bound methods."""

import abc
import enum

class Color(enum.Enum):
    RED = 1
    BLUE = 2

class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

class Square(Shape):
    def area(self):
        return 4

class Holder:
    color = Color
    shape = Shape

def f(held, name):
    color = held.color
    members = color.__members__
    has = color.__contains__
    register = held.shape.register
    if name in members:
        found = color.__getitem__(name), members[name].value
    else:
        found = color.__len__(), len(members)
    return list(members), has(color.RED), found, [one.name for one in color.__iter__()], register(Square), register.__self__

CALLS = [(Holder(), "RED"), (Holder(), "GREEN")]
