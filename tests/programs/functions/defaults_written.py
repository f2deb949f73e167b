"""Defaults that a function gives another one are those of the calls that follow, also in a branch."""

import numpy as np


def scaled(x, a=2.0, *, b=3.0):
    return x * a + b


def bare(x):
    return x


TABLE = {"f": scaled}


def f(x, n):
    before = scaled(x[0])
    scaled.__defaults__ = (sum(-v for v in x),)
    after = TABLE["f"](n), scaled(1.0, b=n)
    bare.__defaults__ = (before,)
    if n > 2:
        scaled.__defaults__ = (n, 5.0)
        after = *after, scaled(), bare()
    return before, after, bare()


CALLS = [(np.array([1.0, 2.0]), 3), (np.array([1.0, 2.5]), 2), (np.array([1.0, 7.0]), 1)] * 2
BEFORE = {4: "scaled.__defaults__ = (0.5,)", 5: "scaled.__kwdefaults__ = {'b': 2.0}"}
AFTER = "scaled.__defaults__, bare.__defaults__"


def noise(rng):
    return rng.normal(size=2), int(rng.integers(0, 5))
