"""Methods of values that only the running program knows, partials, views and ranges: shown, compared, asked for their class."""

import functools
import re

import numpy as np

PLAIN = "AT201"  # `(lambda …)(*held)`, which raises
HELD = {"a": 1}


def text(value):
    """Without addresses."""
    return re.sub(r" at 0x\w+", "", value)


def shown(v):
    return text(f"{v}|{v!r}"), text("%s" % (v,)), text("{}".format(v)), text(str([v])), v == v, v != v, v is v


def asked(v):
    return (
        type(v).__name__,
        isinstance(v, int),
        callable(v),
        hasattr(v, "__len__"),
        getattr(v, "__call__", None) is None,
        getattr(v, "nothing", 3),
        v.__class__.__name__,
    )


def numbers(x):
    held = x.__add__
    return shown(held), asked(held), held.__doc__, held(1), getattr(held, "__module__", None)


def arrays(x):
    values = np.arange(3.0) + x
    held = values.sum
    return shown(held), asked(held), held(), functools.partial(held)(), held.__name__, values.max


def lists(x):
    made = [x]
    held = made.append
    held(2)
    return asked(held), made, text(repr(held))


def partials(x):
    held = functools.partial(max, x)
    kept = [held]
    try:
        (lambda *values: values)(*held)
    except TypeError as error:
        told = str(error).rpartition(".")[2]
    return kept[0] == held, kept[0] is held, asked(held), held(1), told


def ranges(x):
    return shown(range(x)), asked(range(x, 9, 2)), shown(zip([x], [1])), asked(enumerate([x]))


def views(x):
    return [(shown(v), asked(v)) for v in (HELD.keys(), HELD.values(), HELD.items(), {"b": x}.keys())]


def local(x):
    held = lambda y: x + y  # noqa: E731
    return held.__module__ == shown.__module__, held(1)


def f(x):
    result = numbers(x), lists(x), partials(x), ranges(x), views(x), local(x)
    *found, highest = arrays(x)
    return result, found, highest()


CALLS = [(3,), (1,), (0,)]
