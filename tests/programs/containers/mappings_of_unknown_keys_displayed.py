"""A display takes the items of mappings of which only the running program knows the keys, and refuses what is none."""

import dataclasses
import json
import types

SEEN = []


@dataclasses.dataclass
class Point:
    x: float
    y: float = 2.0

    def norm(self):
        return self.x * self.x + self.y * self.y


class Table:
    """A mapping of numbers."""

    def __init__(self, n):
        self.n = n

    def keys(self):
        SEEN.append("keys")
        return range(self.n)

    def __getitem__(self, key):
        SEEN.append(key)
        if key == 3:
            raise LookupError(key)
        return key * self.n


class Counted(dict):
    def keys(self):
        SEEN.append("keys of a dict")
        return super().keys()


class Nothing:
    pass


def fields(points):
    return [{**dataclasses.asdict(point), "norm": point.norm()} for point in points]


def parsed(text, x):
    return {"x": 0, **json.loads(text), "y": x}


def told(make, *args):
    try:
        return make(*args)
    except (TypeError, LookupError) as error:
        return type(error).__name__, str(error)


def numbered(table, n):
    before = len(SEEN)
    found = {**table, n: "n", **Table(n)}
    return list(found.items()), SEEN[before:]


def displayed(value):
    return {"q": 0, **value}


def in_order(text):
    return {SEEN.append("first"): 0, **json.loads(text), SEEN.append("last"): len(SEEN)}


def f(n, text, table):
    SEEN.clear()
    results = [
        fields([Point(n), Point(n + 1, n)]),
        told(parsed, text, n),
        told(numbered, table, n),
        told(displayed, Counted(a=n)),
        told(displayed, Nothing()),
        told(displayed, types.MappingProxyType({1: n})),
        told(displayed, text),
        told(in_order, text),
    ]
    return results, list(SEEN)


CALLS = [(0, "{}", Table(1)), (2, '{"x": 1, "z": 2}', Table(2)), (4, "[1]", Table(0)), (1, "3", Table(3))]
AFTER = "SEEN"
