"""Fields of a named tuple whose class makes something of its items: those of each call."""

import collections


class Doubled(collections.namedtuple("Base", "a b")):
    def __new__(cls, a, b):
        return super().__new__(cls, a * 2, b * 2)


HELD = Doubled(0.5, 0.25)


def f(d, turns):
    total = d.b
    for _ in range(turns):
        total += d.a
    try:
        first = d.a if turns else HELD.a
    except AttributeError:
        first = None
    return total, first, d.a, HELD.b, [d.a for _ in range(2)]


BEFORE = {2: "HELD = Doubled(1.5, 1.25)"}
CALLS = [(Doubled(1.0, 2.0), 2), (Doubled(3.0, 5.0), 2), (Doubled(3.0, 5.0), 0), (Doubled(7.5, 1.0), 1)]


def noise(rng):
    return Doubled(float(rng.integers(0, 5)), 1.5), int(rng.integers(0, 4))
