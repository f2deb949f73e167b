"""Opaque code replaces a helper, its defaults, a class, a flag and a text that the function has looked at before."""

import builtins
import math

exec(
    """def replace(what):
    global helper, Point, MODE, LIMIT
    if what == "helper":
        helper = other_helper
    elif what == "class":
        Point = Other
    elif what == "mode":
        MODE = "fast"
    elif what == "limit":
        LIMIT = None

def defaults():
    helper.__defaults__ = (100,)
    named.__kwdefaults__ = {"k": 100}

def modules():
    builtins.len = given
    math.sqrt = given

def restore(result):
    global helper, Point, MODE, LIMIT
    helper, Point, builtins.len, math.sqrt = KEPT
    MODE, LIMIT, helper.__defaults__, named.__kwdefaults__ = "slow", 3, (1,), {"k": 1}
    return result"""
)


class Point:
    def __init__(self, v):
        self.v = v

    def get(self):
        return self.v


class Other(Point):
    def get(self):
        return "other"


def helper(x, k=1):
    return x + k


def other_helper(x, k=1):
    return "other helper"


def named(x, *, k=1):
    return x + k


def given(*args):
    return "given"


KEPT = helper, Point, len, math.sqrt
MODE, LIMIT = "slow", 3


def looked_at(x):
    return helper(x), Point(x).get(), 1 if MODE == "slow" else 2, LIMIT is None or x < LIMIT


def f(case, x):
    if case == "defaults":
        before = helper(x), named(x)
        defaults()
        return restore((before, helper(x), named(x)))
    if case == "modules":
        before = len([x]), math.sqrt(x)
        modules()
        return restore((before, len([x]), math.sqrt(x)))
    before = looked_at(x)
    replace(case)
    return restore((before, looked_at(x)))


CASES = "helper", "class", "mode", "limit", "defaults", "modules"


def noise(rng):
    return str(rng.choice([*CASES])), int(rng.integers(0, 5))


CALLS = [(case, x) for case in CASES for x in (0, 4)]
PLAIN = "AT101", "AT213"
