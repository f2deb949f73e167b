"""An `AttributeError` that a property raises is told the object and the name, unless the property is called."""

import sys

import numpy as np


class Unknown(AttributeError):
    def __init__(self, unit):
        self.unit = unit


class Unit:
    def __init__(self, name, known):
        self.name = name
        self.known = known

    @property
    def factor(self):
        return find(self.known, self.name)

    @property
    def outer(self):
        return self.factor() * 2.0

    @property
    def handled(self):
        try:
            return self.known["any"]
        except KeyError:
            raise AttributeError("any") from None


def find(known, name):
    if name not in known:
        raise Unknown(name)
    return known[name]


def positive(x):
    if x.sum() < 0:
        raise Unknown("negative")
    return x * 2


class Data:
    def __init__(self, x):
        self.x = x

    @property
    def doubled(self):
        return positive(self.x)


def told(error, owner):
    return type(error).__name__, error.args, error.name, error.obj is owner, repr(error.__context__)


def of(ask, owner):
    try:
        return ask(owner)
    except AttributeError as error:
        return told(error, owner)


def f(x, unit, data):
    found = [
        of(lambda one: one.factor, unit),
        of(lambda one: one.factor(), unit),
        of(lambda one: one.factor(*x), unit),
        of(lambda one: one.outer, unit),
        of(lambda one: one.handled, unit),
        of(lambda one: one.doubled, data),
        of(lambda one: one.doubled, Data(x)),
        of(lambda one: one.doubled(), Data(x)),
    ]
    return found, x * unit.factor, data.doubled


KNOWN = {"m": 1.0, "km": 1000.0}
X = np.arange(3.0)
CALLS = [
    (X, Unit("m", KNOWN), Data(X)),
    (X, Unit("ft", KNOWN), Data(X)),
    (-X, Unit("km", {**KNOWN, "any": 2}), Data(-X)),
]
if sys.version_info >= (3, 12):  # there it depends on how often a line has run
    PLAIN = "AT202"
