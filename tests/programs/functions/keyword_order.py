"""Keywords reach a call in the order in which they are written, whether their values are known or not."""

import types

import numpy as np


def listed(**given):
    return list(given.items())


def f(table, x, y, more):
    table.update(a=x, b=2, c=y, d="s")
    copied = dict(table, q=x, p=1, o=y)
    space = types.SimpleNamespace(b=x, a=1, **more)
    return list(table.items()), list(copied), repr(space), listed(**more, z=x, w=1), "{b}{a}".format(b=x, a=1)


CALLS = [
    ({}, 1.0, 2, {"k": 1}),
    ({"c": 5}, 1.5, 2, {"k": 1, "j": 2.0}),
]
