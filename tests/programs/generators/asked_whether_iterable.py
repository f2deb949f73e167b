"""``try: iter(value) except TypeError``: what has no items says so by its class, and what has some does not raise."""

import numpy as np


class Plain:
    pass


class ByIndex:
    def __init__(self, items):
        self.items = items

    def __getitem__(self, index):
        return self.items[index]


class Sized:
    def __len__(self):
        return 2


class Refusing:
    def __iter__(self):
        raise TypeError("not now")


class Silent:
    __iter__ = None
    __len__ = None


class Keyed(dict):
    def __missing__(self, key):
        return 0.0


def iterable(value):
    try:
        iter(value)
    except TypeError:
        return False
    return True


def sized(value):
    try:
        len(value)
    except TypeError as error:
        return str(error)
    return True


def flattened(value):
    if iterable(value) and not isinstance(value, str):
        return [part for item in value for part in flattened(item)]
    return [value]


def why(value):
    try:
        iter(value)
    except TypeError as error:
        return type(error), error.args, error.__cause__
    else:
        return "fine"
    finally:
        value = None


def unguarded(value):
    return [iter(value) is not None, len(value)]


def asked(values):
    return [(iterable(value), sized(value), why(value)) for value in values]


def f(kind, *values):
    match kind:
        case "asked":
            return asked(values)
        case "flattened":
            return flattened(values)
        case _:
            return unguarded(*values)


CALLS = [
    ("asked", 1.0, 2, True, None, 1j, "text", b"bytes", len),
    ("asked", (1.0, 2.0), [1.0], [], {1.0: 2.0}, {3}, range(3)),
    ("asked", np.ones(2), np.array(1.0), np.float32(1.0), np.str_("text"), np.datetime64("2020-01-01")),
    ("asked", np.zeros((), "i4,f8"), np.zeros(1, "i4,f8")[0], np.array(None), Plain),
    ("asked", Plain(), ByIndex([1.0]), Sized(), Refusing(), Silent(), Keyed(a=1.0), [Plain(), Refusing()]),
    ("flattened", 1.0, [2.0, np.arange(2.0)], (3.0, "text"), [[], [[]]]),
    ("unguarded", 1.0),
    ("unguarded", Plain()),
]
