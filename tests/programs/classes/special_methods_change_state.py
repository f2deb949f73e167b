"""Special methods that C code calls change globals, which are read anew afterwards."""

import numpy as np

SHOWN, ASKED, HASHED = 0, 0, 0


class Item:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        global SHOWN
        SHOWN += 1
        return self.name

    def __eq__(self, other):
        global ASKED
        ASKED += 10
        return isinstance(other, Item) and self.name == other.name

    def __hash__(self):
        global HASHED
        HASHED += 100
        return hash(self.name)


def shown(item):
    before = SHOWN
    text = "%s" % item
    text = text + f"{item}" + "{}".format(item) + str((item, 1))[:1]
    return text, SHOWN - before


def asked(item, items):
    before = ASKED
    found = item in items, items.count(item), (item, 1) == (item, 1), [item] == items
    return found, ASKED - before


def hashed(item, x):
    before = HASHED
    held = {item: x}
    return held[item], HASHED - before


def f(item, items, x):
    total = 0
    for _ in range(2):
        _ = "%s" % item
        total = total + SHOWN
    return shown(item), asked(item, items), hashed(item, x), total


CALLS = [
    (Item("a"), [Item("b"), Item("a")], np.ones(2)),
    (Item("c"), [Item("c")], np.ones(3)),
    (Item("c"), [], np.ones(3)),
]
AFTER = "SHOWN, ASKED, HASHED"
