"""Python tells an `AttributeError` its name and object, unless it knows one or it comes out of a property of a method call."""

import sys

import numpy as np


class Quantity:
    def __init__(self, size):
        self.size = size
        self.asked = []

    @property
    def twice(self):
        return self.size * 2

    @property
    def broken(self):
        return self.missing

    def __getattr__(self, name):
        if name.startswith("__array_"):
            raise AttributeError(f"no {name}")
        if name == "bare":
            raise AttributeError
        if name == "told":
            raise AttributeError("told", name="other", obj=3)
        if name == "half":
            raise AttributeError("half", name="other")
        if name == "empty":
            raise AttributeError("empty", name=None)
        if name == "chained":
            try:
                return {}[name]
            except KeyError as error:
                raise AttributeError(name) from error
        if name == "value":
            raise ValueError("not an attribute")
        if name == "seven":
            return 7.0
        raise AttributeError(f"no {name}")


class Refusing(AttributeError):
    pass


class Special:
    def __getattr__(self, name):
        raise Refusing(name)


def told(value, name):
    try:
        return getattr(value, name)
    except AttributeError as error:
        same = error.obj is value
        context, cause = type(error.__context__), type(error.__cause__)
        return type(error).__name__, error.args, error.name, same, context, cause


def on_one_path(x, value):
    try:
        if x.sum() > 0:
            return value.bare
        return value.seven
    except AttributeError as error:
        return error.name, error.obj is value


def by_property(value):
    found = []
    for ask in (lambda: value.broken, lambda: value.broken(), lambda: getattr(value, "broken")):
        try:
            ask()
        except AttributeError as error:
            found.append((error.name, error.obj is value, str(error)))
    return found


class Plain:
    @property
    def broken(self):
        raise AttributeError("broken")


def f(kind, x, value):
    match kind:
        case "told":
            return [told(value, name) for name in ("__array_interface__", "bare", "told", "half", "empty")]
        case "one":
            return told(value, "chained")
        case "special":
            return told(value, "any")
        case "property":
            return by_property(value)
        case _:
            return on_one_path(x, value)


X = np.arange(3.0)
CALLS = [
    ("told", X, Quantity(X)),
    ("one", X, Quantity(X)),
    ("special", X, Special()),
    ("property", X, Plain()),
    ("path", X, Quantity(2.0)),
    ("path", -X, Quantity(2.0)),
]
if sys.version_info >= (3, 12):  # from the second time on Python itself does otherwise with a property
    CALLS = [call for call in CALLS if call[0] != "property"]
