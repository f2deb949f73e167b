"""What is changed in place is of unknown class, so it may be a dict: modules, functions and numbers of the module stay what they are."""

import contextlib

import numpy as np

RATE, FLAG, COUNTS = 2.0, True, {}

exec("def opaque(x): return x\ndef namespace(): return globals()")


def helper(x):
    return x * RATE


def scaled(x):
    y = opaque(x)
    y /= 2
    y -= RATE
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.sin(y) / helper(y)
    return z, FLAG


def counted(x):
    table = opaque(COUNTS)
    table["n"] = table.get("n", 0) + 1
    with contextlib.nullcontext(), np.errstate(divide="ignore"):
        opaque(x)
    return helper(x), len(COUNTS), np.add(x, 1)


def assigned(x):
    found = namespace()
    found["RATE"] = RATE + 1
    found["FLAG"] = not FLAG
    return RATE, FLAG, helper(x)


def doubled(x):
    items = opaque([x])
    items *= 2
    other = opaque({"a": x})
    other |= {"b": 1}
    return items, other, helper(x)


def f(x):
    return scaled(x), counted(x), assigned(x), doubled(x)


CALLS = [(1.0,), (2,), (np.ones(3),)]
AFTER = "RATE, FLAG, COUNTS"
PLAIN = "AT101"
