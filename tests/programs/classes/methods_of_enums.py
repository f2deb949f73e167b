"""Methods of enumerations, also those that were compiled by themselves and those with private names."""

import enum

import astrace


class Color(enum.Enum):
    RED = 1
    GREEN = 2

    def __init__(self, number):
        self.weight = number * 0.5

    def __str__(self):
        return f"colour {self.value}"

    @property
    def twice(self):
        return self.value * 2

    @classmethod
    def best(cls):
        return cls.RED

    @astrace.compile
    def other(self, n):
        return Color.GREEN if self is Color.RED and n else self


class Way(enum.IntFlag):
    A = 1
    B = 2

    def __hidden(self, x):
        return x + self.value

    @astrace.compile
    def both(self, x):
        if x > 1:
            return self | Way.B, self.__hidden(x)
        return self, self.__hidden(x)


def f(x):
    color = Color.RED if x > 1 else Color.GREEN
    return color.other(x), str(color), color.twice, Color.best(), color.weight * x, Way.A.both(x), Way.B.both(x)


CALLS = [(0,), (1,), (2.5,)]
