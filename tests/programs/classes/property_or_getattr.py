"""An `AttributeError` out of a property has Python ask `__getattr__` instead, as if nothing had been raised."""

import numpy as np


class Unknown(AttributeError):
    pass


class Quantity:
    def __init__(self, value, unit, known):
        self.value = value
        self.unit = unit
        self.known = known

    @property
    def factor(self):
        if self.unit not in self.known:
            raise Unknown(self.unit)
        return self.known[self.unit]

    @property
    def positive(self):
        if self.value.sum() < 0:
            raise Unknown("negative")
        return self.value * 2.0

    @property
    def scaled(self):
        return self.positive * self.factor

    @property
    def gone(self):
        raise Unknown("gone")

    def __getattr__(self, name):
        if name == "scaled":
            return name
        if name == "positive":
            return self.value
        raise AttributeError(f"no {name}")


def told(ask, owner):
    try:
        return ask(owner)
    except AttributeError as error:
        context = type(error.__context__).__name__
        return type(error).__name__, error.args, error.name, error.obj is owner, context


def f(x, quantity):
    other = Quantity(x, quantity.unit, quantity.known)
    found = [
        told(lambda one: one.factor, quantity),
        told(lambda one: one.gone(), quantity),
        told(lambda one: one.positive, quantity),
        told(lambda one: one.scaled, quantity),
        told(lambda one: one.positive, other),
        told(lambda one: one.scaled, other),
        told(lambda one: one.missing, other),
    ]
    return found, quantity.positive


KNOWN = {"m": 1.0, "km": 1000.0}
X = np.arange(3.0)
CALLS = [
    (X, Quantity(X, "m", KNOWN)),
    (-X, Quantity(X, "m", KNOWN)),
    (X, Quantity(-X, "km", KNOWN)),
    (-X, Quantity(-X, "ft", KNOWN)),
    (X, Quantity(X, "ft", KNOWN)),
]
