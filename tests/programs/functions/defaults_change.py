"""Defaults that are replaced, taken away or added between calls; a name that becomes a builtin."""

import builtins

import numpy as np


def scaled(x, a=2.0, *, b=3.0):
    return x * a + b


def two(x, a, b=1.0):
    return x * a - b


def f(x):
    try:
        known = a_name_of_nobody
    except NameError:
        known = -1
    return scaled(x), two(x, 5.0), known


CALLS = [(np.float64(1.5),)] * 6
BEFORE = {
    1: "scaled.__defaults__ = (7.0,)",
    2: "two.__defaults__ = (0.5, 4.0)",
    3: "scaled.__kwdefaults__ = {'b': 0.25}",
    4: "builtins.a_name_of_nobody = 3",
    5: "vars(builtins).pop('a_name_of_nobody', None); two.__defaults__ = (8.0,)",
}
