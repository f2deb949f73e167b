"""``getattr`` and its like with names that only the running program knows: fields, methods, properties, defaults, refusals."""

import json

import numpy as np


class Result:
    kind = "result"

    def __init__(self, size):
        self.size = size

    @property
    def twice(self):
        return self.size * 2

    @twice.setter
    def twice(self, value):
        self.size = value / 2

    def scaled(self, factor=3):
        return self.size * factor


class Recording(Result):
    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        super().__setattr__("last", name)


class Slots:
    __slots__ = ("a", "b")


def names(text):
    return json.loads(text)


def filled(x, text):
    result = Result(x)
    for name, value in names(text).items():
        if not name.startswith("_"):
            setattr(result, name, value)
    result.more = result.size
    return vars(result), result.twice, result.scaled()


def asked(value, text):
    found = []
    for name in names(text):
        if hasattr(value, name):
            attribute = getattr(value, name)
            found.append(attribute() if callable(attribute) else attribute)
        found.append(getattr(value, name, None) is None)
    return found


def recorded(x, text):
    result = Recording(x)
    for name in names(text):
        setattr(result, name, x)
    return vars(result)


def given(value, text):
    before = value.size
    for name, item in names(text).items():
        setattr(value, name, item)
    return before, value.size, value.scaled(), value.kind, value.twice


def deleted(x, text):
    result = Result(x)
    result.other = 1
    for name in names(text):
        try:
            delattr(result, name)
        except AttributeError as error:
            result.failed = str(error)
    return vars(result), hasattr(result, "size")


def slots(x, text):
    value = Slots()
    found = []
    for name in names(text):
        try:
            setattr(value, name, x)
        except AttributeError as error:
            found.append(str(error))
    return found, hasattr(value, "a"), hasattr(value, "b")


def aliased(x, text):
    one = Result(x)
    table = {"one": one}
    other = table["one" if x > 0 else "one"]
    for name in names(text):
        setattr(other, name, 7.0)
    return one.size, other is one, one.twice


FUNCTIONS = {
    "filled": filled,
    "given": given,
    "recorded": recorded,
    "deleted": deleted,
    "slots": slots,
    "aliased": aliased,
}


def f(kind, x, text):
    match kind:
        case "asked":
            return asked(x, text)
        case _:
            return FUNCTIONS[kind](x, text)


CALLS = [
    ("filled", 2.0, '{"a": 1, "_b": 2, "size": 3, "twice": 8}'),
    ("filled", 2.0, "{}"),
    ("asked", Result(np.ones(2)), '["size", "twice", "scaled", "kind", "none"]'),
    ("given", Result(5.0), '{"size": 4.0, "kind": "mine"}'),
    ("recorded", 1.0, '["size", "b"]'),
    ("slots", 1.0, '["b", "c"]'),
    ("deleted", 1.0, '["other", "none", "size"]'),
    ("aliased", 1.0, '["size", "other"]'),
]
