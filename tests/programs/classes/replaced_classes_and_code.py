"""Opaque code changes the bases of a class, the class of an object, the code of a function, and a function of a module."""

import operator
from unittest import mock

exec("def put(owner, name, value):\n    setattr(owner, name, value)")


class Point:
    def __init__(self, v):
        self.v = v

    def get(self, k=1):
        return self.v * k


class Derived(Point):
    pass


class Base(Point):
    def get(self, k=1):
        return "base"


def other(self, k=1):
    return "other", self.v


def new(self, k=1):
    return "new code"


def helper(x):
    return x + 1


def other_helper(x):
    return "other helper"


def given(*args):
    return "given"


CODE, HELPER, ADD = Point.get.__code__, helper.__code__, operator.add


def classes(p):
    kind = type(p)
    put(Derived, "get", other)
    put(p, "__class__", Derived)
    found = p.get(1)
    del Derived.get
    put(p, "__class__", kind)
    return found, p.get(1)


def bases(x):
    before = Derived(x).get(1)
    put(Derived, "__bases__", (Base,))
    after = Derived(x).get(1), isinstance(Derived(x), Base)
    put(Derived, "__bases__", (Point,))
    return before, after


def code(p):
    put(Point.get, "__code__", new.__code__)
    found = p.get()
    put(Point.get, "__code__", CODE)
    return found


def code_of_function(x):
    before = helper(x)
    put(helper, "__code__", other_helper.__code__)
    found = before, helper(x)
    put(helper, "__code__", HELPER)
    return found


def of_module(x):
    put(operator, "add", given)
    found = operator.add(x, 1)
    put(operator, "add", ADD)
    return found, operator.add(x, 1)


def patched(x):
    with mock.patch.object(operator, "add", given):
        found = operator.add(x, 1)
    return found, operator.add(x, 1)


CASES = {
    "classes": classes,
    "bases": bases,
    "code": code,
    "code of a function": code_of_function,
    "module": of_module,
    "patched": patched,
}


def f(case, given):
    return CASES[case](given)


def noise(rng):
    case = str(rng.choice([*CASES]))
    return case, Point(2) if case in ("classes", "code") else int(rng.integers(0, 3))


CALLS = [(case, Point(2) if case in ("classes", "code") else 1) for case in CASES]
CALLS += [("bases", 2.5), ("module", 0), ("patched", 2.5), ("classes", Point(2.5))]
PLAIN = "AT101", "AT213"
