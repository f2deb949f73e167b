"""Class patterns: ``__match_args__``, attributes that are asked for once, and what Python refuses."""

import dataclasses

LOG = []


@dataclasses.dataclass
class Point:
    x: object
    y: object = 0


class Pair:
    __match_args__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b

    @property
    def c(self):
        LOG.append("c")
        return self.a


class Listed:
    __match_args__ = ["a"]


class Numbered:
    __match_args__ = (1,)


class Whole(int):
    pass


def found(x):
    match x:
        case Point(0, y=0):
            return "origin"
        case Point(x=0 as z):
            return "axis", z
        case Point(a, Point(b, c)):
            return "nested", a, b, c
        case Point(a, b):
            return a, b
        case Pair(1 | 2 as a, c=c):
            return "pair", a, c
        case Pair(missing=1):
            return "missing"
        case bool(b):
            return "bool", b
        case int(n) if n > 5:
            return "big", n
        case Whole(n):
            return "whole", n
        case int() | float() as number:
            return "number", number
        case str(s):
            return "text", s
        case (list() | tuple()) as held:
            return "held", len(held)
        case None:
            return "None"
    return "none"


def refused(x):
    out = []
    try:
        match x:
            case Point(a, b, c):
                return a
    except TypeError as error:
        out.append(str(error))
    try:
        match x:
            case Point(a, x=2):
                return a
    except TypeError as error:
        out.append(str(error))
    try:
        match x:
            case Listed(a) | Numbered(a) | int(a, _):
                return a
    except TypeError as error:
        out.append(str(error))
    return out


def f(*xs):
    LOG.clear()
    return [found(x) for x in xs], [refused(x) for x in xs[:2]], len(LOG)


CALLS = [
    (Point(0, 0), Point(0, 5), Point(1, Point(3, 4)), Point(1, 2)),
    (Listed(), Numbered(), Pair(1, 2), Pair(3, 4)),
    (True, 7, Whole(3), 2.5),
    ("s", [1], None, (1, 2)),
]
PLAIN = "AT201"


def noise(rng):
    return CALLS[rng.integers(len(CALLS))]
