"""Comparisons and arithmetic whose methods nobody wrote down here: of dataclasses, of the standard library."""

import numpy as np

import collections
import dataclasses
import functools
import pathlib
from fractions import Fraction

@dataclasses.dataclass(order=True)
class P:
    x: float
    y: float = dataclasses.field(default=0.0, compare=False)

@dataclasses.dataclass
class Q:
    x: float

@functools.total_ordering
class Size:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n if isinstance(other, Size) else NotImplemented

    def __lt__(self, other):
        return self.n < other.n if isinstance(other, Size) else NotImplemented

def attempt(function):
    try:
        return function()
    except TypeError as error:
        return str(error)

def f(a, b, part, half):
    made = P(2.0, 5.0)
    found = []
    found.append("same" if a == b else "other")
    found.append("differs" if a != b else "alike")
    found.append((made == P(2.0, 7.0), made == a, P(1.0) < made, made >= made, Q(1.0) == made, Q(1.0) != Q(1.0)))
    found.append((part == "a/b", part != "a/b", part == pathlib.PurePosixPath("a") / "b"))
    found.append((collections.Counter("ab") == {"a": 1, "b": 1}, collections.Counter("ab") == 3))
    found.append((half == 0.5, half == "x", attempt(lambda: half + "x")))
    found.append((Size(1) <= Size(2), Size(1) == 3, Size(1) != 3, attempt(lambda: Size(1) >= 3)))
    return found

CALLS = [
    (P(1.0), "x", pathlib.PurePosixPath("a/b"), Fraction(1, 2)),
    (P(1.0), P(1.0, 3.0), pathlib.PurePosixPath("a/b"), Fraction(1, 2)),
    (P(1.0), P(2.0), pathlib.PurePosixPath("c"), Fraction(1, 2)),
    (P(2.0), Q(1.0), pathlib.PurePosixPath("c"), Fraction(1, 2)),
    (3, 3.0, "a/b", Fraction(1, 2)),
]
