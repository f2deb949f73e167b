"""What is put in the place of builtins, of a library's functions, of special methods, base classes and code."""

import abc
import builtins
import math

import numpy as np


class Shape(abc.ABC):
    pass


class Square:
    side = 2.0

    def area(self):
        return self.side**2


class Cube(Square):
    def area(self):
        return super().area() * self.side


class Fixed:
    def area(self):
        return 100.0


class Meter:
    def __get__(self, owner, cls):
        return 5.0


class Gauge:
    level = Meter()


def helper(x):
    return x + 1


def tenfold(x):
    return x * 10


biggest, sine, cube, gauge = builtins.max, math.sin, Cube(), Gauge()


def f(x):
    known = isinstance(cube, Shape), isinstance(cube, Square), callable(cube), bool(cube)
    cube.side = x
    return max(x, 1.0), math.sin(x), cube.area(), gauge.level, known, helper(x), cube.side


CALLS = [(np.float64(2.0),)] * 9
BEFORE = {
    1: "builtins.max = min; math.sin = math.cos",
    2: "builtins.max, math.sin = biggest, sine",
    3: "Shape.register(Square)",
    4: "Cube.__bases__ = (Fixed,)",
    5: "gauge.level = 7.0; Cube.__bool__ = lambda self: False",
    6: "del gauge.level; Meter.__get__ = lambda self, owner, cls: 6.0",
    7: "helper.__code__ = tenfold.__code__; Cube.__call__ = lambda self: 1",
    8: "Cube.__setattr__ = lambda self, name, value: None",
}
AFTER = "cube.side"
