"""``type(value).mro()``: a new list each time, of the bases as they are at the call."""

import numpy as np


class Base:
    pass


class Container(Base):
    def __init__(self, size):
        self.size = size


class Other:
    pass


class Meta(type):
    def mro(cls):
        return [cls, Base, object]


class Made(metaclass=Meta):
    pass


def sized(value):
    order = type(value).mro()
    if Container in order:
        return value.size
    elif Base in order:
        return "base"
    elif str in order:
        return value + "!"
    elif np.ndarray in order:
        return value * 2
    return [one.__name__ for one in order]


def asked(value):
    kind = type(value)
    order = kind.mro()
    order.append(int)
    names = [one.__name__ for one in order]
    return sized(value), names, kind.mro() is kind.mro(), kind.mro() == [*kind.__mro__], len(order)


def f(*values, refused=None):
    found = [asked(value) for value in values]
    if refused:
        kind = type(values[0])
        return found, len(type.mro(kind)), kind.mro.__name__, kind.mro(3)
    return found


CALLS = [
    (Container(np.ones(2)), Base(), Other(), Made(), "text", np.arange(2.0), 1.0, Container, None),
    (Container(1),),
]
