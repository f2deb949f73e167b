"""What a dict held before is looked for in no mapping of another class: asking one for it may add it."""

from collections import defaultdict


class Point:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return type(other) is Point and self.x == other.x

    def __repr__(self):
        return f"Point({self.x})"


class Counted(dict):
    def __missing__(self, key):
        self.asked = [*getattr(self, "asked", []), key]
        return Point(0)


def f(first, mapping):
    first.x += 1
    for point in mapping.values():
        point.x += first.x
    return first.x, list(mapping.items()), getattr(mapping, "asked", None)


CALLS = [
    (Point(1), {"a": Point(2)}),
    (Point(1), defaultdict(list, {"b": Point(3)})),
    (Point(2), Counted(b=Point(4))),
    (Point(1), {name: Point(2) for name in "abcdefgh"}),
    (Point(1), defaultdict(list, {"i": Point(5)})),
    (Point(2), Counted()),
    (Point(2), Counted(i=Point(6))),
]
