"""Named tuples as arguments: given back, taken apart, changed; one whose class makes something of its items."""

import numpy as np

import collections
import typing

Point = collections.namedtuple("Point", "x y")

class Named(typing.NamedTuple):
    left: float
    right: float = 2.0

    @property
    def total(self):
        return self.left + self.right

class Doubled(collections.namedtuple("Base", "a b")):
    def __new__(cls, a, b):
        return super().__new__(cls, a * 2, b * 2)

def f(p, n, d, s):
    if s > 0:
        q = p._replace(x=s)
    else:
        q = Point(y=p.x, x=p.y)
    return p, n, d, q, n.total, Named(s), [d.a, *p], {"p": p}, Point(1, 2), p == q, p._asdict(), Point._fields

CALLS = [
    (Point(1.0, 2), Named(1.0), Doubled(1.0, 2.0), np.float64(3.0)),
    (Point(1.0, 2), Named(1.0, 5.0), Doubled(1.0, 2.0), np.float64(-3.0)),
    (Point([1.0], None), Named(1, 2), Doubled(1, "a"), -1.0),
]

def noise(rng):
    return CALLS[rng.integers(3)]
