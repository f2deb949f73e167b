"""Members of enumerations that are tuples stay themselves, and subclasses of named tuples that walk in their own way."""

import enum
from collections import namedtuple


class Pair(tuple, enum.Enum):
    ONE = (1, 2)


Point = namedtuple("Point", "x y")


class Odd(Point):
    def __iter__(self):
        return iter((7, 8, 9))

    def __getnewargs__(self):
        return 1, 2

    def __len__(self):
        return 0


class Known(Point):
    def __init__(self, *args):
        self.name = "known"


def f(x, n):
    kept = x or "nothing"
    return kept is x, kept, [item for item in x], len(x), list(x), x[0], max(x, x) is x if n else None


CALLS = [(Pair.ONE, 0), (Odd(1, 2), 1), (Known(1, 2), 1), (Point(1, 2), 1)]


def noise(rng):
    return CALLS[rng.integers(len(CALLS))][0], int(rng.integers(2))
