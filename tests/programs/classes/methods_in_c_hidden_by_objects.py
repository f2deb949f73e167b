"""Methods in C of objects from outside, some of which get an attribute of that name later; Python's stream of random numbers."""

import random


class Items(list):
    """Has attributes of its own."""


def constant(*_):
    return 7


drawing = random.Random(5)
items = Items([0, 1])


def f(stream, listed, x):
    again = stream.random
    total = 0
    for _ in range(2):
        total = total + x * stream.random() + listed.index(1)
    own = random.Random(3)
    own.getrandbits = constant
    return total, again(), items.index(1), drawing.random(), drawing.getrandbits(5), own.random(), own.getrandbits(3)


def hiding(stream):
    stream.random = constant
    return stream


CALLS = [
    (random.Random(1), Items([1]), 2.0),
    (random.Random(2), Items([0, 1]), 2.0),
    (hiding(random.Random(3)), Items([1]), 2.0),
    (random.Random(1), items, 2.0),
    (drawing, items, 2.0),
]
BEFORE = {1: "items.index = constant", 3: "del items.index", 4: "drawing.random = constant"}
AFTER = "list(drawing.__dict__), list(items.__dict__)"
