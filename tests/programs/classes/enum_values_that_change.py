"""What lies in a member's value may change, and a class may have its own ``value``: both are read at every call."""

import collections
import enum

import numpy as np


class Table(enum.Enum):
    SHORT = [1.0, 2.0]
    NAMED = {"rate": 3.0}


class Scaled(enum.Enum):
    A = 2

    @property
    def value(self):
        return self._value_ * RATES[0]


class Pair(collections.namedtuple("Fields", "rate scale")):
    @property
    def scale(self):
        return RATES[0]


RATES = [1.0]
PAIR = Pair(1.0, 5.0)


def f(x, table=Table.SHORT):
    y = x * table.value[0] * Table.NAMED.value["rate"] * Scaled.A.value * PAIR.scale
    Table.SHORT.value[0] += 1.0
    RATES[0] += 1.0
    return y, list(Table.SHORT.value)


CALLS = [(np.arange(3.0),), (np.arange(3.0),), (2.0,), (2.0,)]
