"""Sequence patterns: which classes they match, and what they ask of a subject, in Python's order and once."""

import collections
import collections.abc


class Registered:
    pass


collections.abc.Sequence.register(Registered)


class Both(collections.UserDict, collections.abc.Sequence):
    pass


class Odd(list):
    def __len__(self):
        return 2

    def __iter__(self):
        return iter((7, 8))

    def __getitem__(self, index):
        return ("item", index)


class Log(collections.abc.Sequence):
    def __init__(self, *items):
        self.items = items
        self.log = []

    def __len__(self):
        self.log.append("len")
        return len(self.items)

    def __getitem__(self, index):
        self.log.append(index)
        return self.items[index]


def kind(x):
    match x:
        case [*_]:
            return "sequence"
        case {}:
            return "mapping"
    return "other"


def shape(x):
    a = b = c = "unset"
    match x:
        case []:
            found = "empty"
        case [1]:
            found = "one"
        case [a, 2]:
            found = "ends in 2"
        case [a, b] if b != 4:
            found = "two"
        case [1, *_, 9]:
            found = "ends"
        case [_, c, *_] if c == 5:
            found = "guarded"
        case [a, *b, c]:
            found = "many"
        case _:
            found = "none"
    return found, a, b, c


def f(xs, n):
    out = []
    for x in xs:
        for _ in range(n):
            out.append(kind(x))
        out.append((None if n > 1 else shape(x), getattr(x, "log", None)))
    return out


CALLS = [
    ((Log(), Log(1), Log(5, 2), Log(3, 4)), 0),
    ((Log(1, 2, 9), Log(0, 5, 1), Log(1, 2, 3)), 0),
    (([], (1,), [5, 2], (3, 4), [1, 2, 9]), 1),
    (({}, "ab", b"ab", 3, None, (0, 5, 1), [1, 2, 3]), 1),
    ((Registered(), Both(), range(3), collections.deque([1, 2]), Odd()), 2),
]
PLAIN = "AT201"


def noise(rng):
    return CALLS[rng.integers(len(CALLS))]
