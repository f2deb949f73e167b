"""Members of all kinds of enumerations say their names and values, also those that are numbers or strings."""

import enum

import numpy as np


class Plain(enum.Enum):
    A = 1.5


class Whole(enum.IntEnum):
    A = 3

    @property
    def doubled(self):
        return self * 2


class Text(enum.StrEnum):
    A = "a"


class Bits(enum.IntFlag):
    R = 1
    W = 2


def f(x):
    names = [member.name for member in (Plain.A, Whole.A, Text.A, Bits.R | Bits.W)]
    return x * Whole.A + Plain.A.value, names, Whole.A.value, Text.A.upper(), Whole.A.doubled


CALLS = [(np.arange(3.0),), (2,)]
