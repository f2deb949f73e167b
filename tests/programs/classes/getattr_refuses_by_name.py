"""A ``__getattr__`` that raises `AttributeError`: asked by `hasattr`, by `getattr` with a default, in a ``try``, in a branch."""

import numpy as np


def refuse(name):
    raise AttributeError(name)


class Quantity:
    def __init__(self, size):
        self.size = size

    @property
    def twice(self):
        return self.size * 2

    def __getattr__(self, name):
        if name.startswith("__array_"):
            raise AttributeError(f"no {name}")
        if name == "bare":
            raise AttributeError
        if name == "passed":
            return refuse(name)
        if name == "seven":
            return 7.0
        raise AttributeError(f"no {name}")


def has(value):
    return [hasattr(value, name) for name in ("twice", "__array_priority__", "bare", "passed", "seven", "size")]


def with_default(value):
    return getattr(value, "__array_wrap__", 1.5), getattr(value, "seven", 0)


def called(value):
    try:
        return value.__array_thing__(1)
    except AttributeError as error:
        return error.name, error.obj is value, str(error)


def made_here(x):
    value = Quantity(x)
    try:
        value.bare
    except AttributeError as error:
        found = error
    return has(value), found.name, found.obj is value, found.args


def f(kind, x, value):
    match kind:
        case "has":
            return has(value), with_default(value)
        case "called":
            return called(value)
        case "raised":
            return value.bare
        case _:
            return made_here(x)


X = np.arange(3.0)
CALLS = [
    ("has", X, Quantity(X)),
    ("has", X, Quantity(2)),
    ("called", X, Quantity(2.0)),
    ("made", X, None),
]
