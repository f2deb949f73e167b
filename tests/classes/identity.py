"""A class is the one object that it is: for its instances, its methods, its subclasses, pickle and C code."""

import copy
import dataclasses
import pickle


class Length:
    def __init__(self, size):
        self.size = size

    def __add__(self, other):
        return "length", other.size

    def __eq__(self, other):
        return "equal", other.size

    __hash__ = None

    def __lt__(self, other):
        return "less", other.size

    def same(self, other):
        return (
            self.__class__ is Length,
            type(self) is Length,
            self.__class__ is other.__class__,
            __class__ is Length,
        )

    def made(self):
        return type(self)(self.size + 1).size, self.__class__(3).same(self), isinstance(self, Length)


class Width(Length):
    def __radd__(self, other):
        return "width", other.size

    def __eq__(self, other):
        return "equal width", other.size

    __hash__ = None

    def __gt__(self, other):
        return "greater width", other.size


class Abstract:
    def __init__(self):
        if self.__class__ is Abstract:
            raise TypeError("abstract")


class Concrete(Abstract):
    def go(self, x):
        return x


@dataclasses.dataclass(slots=True)
class Slotted:
    left: int
    right: int = 2

    def total(self):
        return self.left + self.right


def use(x):
    length, width = Length(x), Width(x + 1)
    found = [length + width, width + length, length == width, length < width, width < length]
    found += [length.same(width), width.same(length), length.made(), width.made(), Slotted(x).total()]
    found += [Width.__mro__[1] is Length, Width.__bases__ == (Length,), Length.__subclasses__() == [Width]]
    found += [pickle.loads(pickle.dumps(length)).size, type(copy.deepcopy(width)) is Width, Concrete().go(x)]
    try:
        Abstract()
    except TypeError as error:
        found.append(str(error))
    return found
