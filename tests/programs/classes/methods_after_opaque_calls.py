"""Methods, special methods, builtins and classes that are used after opaque calls, which replace none of them."""

import functools
import operator

exec(
    """def keep(*values):
    KEPT.extend(values)

def count(owner):
    owner.calls = getattr(owner, "calls", 0) + 1
    return owner.calls

def note(x):
    global LAST
    LAST = x
    return x"""
)
KEPT, LAST = [], 0


class Point:
    calls = 0

    def __init__(self, v):
        self.v = v

    def get(self, k=1):
        return self.v * k

    def __add__(self, other):
        return Point(self.v + other.v)

    def __bool__(self):
        return self.v > 1

    def __len__(self):
        return 3

    @property
    def double(self):
        return self.get(2)

    @functools.cached_property
    def kept(self):
        return [self.v]


class Above(Point):
    def get(self, k=1):
        return super().get(k) + 1


def f(p, x):
    made = Above(x)
    keep(made, p)
    found = [p.get(2), made.get(2), (made + p).v, len(made), 1 if p else 2, p.double, made.double]
    for i in range(3):
        note(i)
        found.append((p.get(i), made.get(i), len(p), operator.add(i, 1), isinstance(made, Point)))
    for i in range(2):
        found.append(made.get(i) + p.get(i))
    count(p)
    del p.calls
    try:
        found.append(int(note("3")) + abs(p.get(-1)))
        found.append(float(note("three")))
    except ValueError as error:
        found.append((str(error), p.get(1)))
    return found, p.kept, made.kept, type(made).__name__, LAST


CALLS = [(Point(1), 1), (Above(2.5), 2.5), (Point(0), 0)]
AFTER = "len(KEPT), LAST"
PLAIN = "AT101"
