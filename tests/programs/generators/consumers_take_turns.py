"""A generator's code runs between the steps of what takes its items: additions, comparisons, hashes and keys, which may raise."""

import functools

import numpy as np

LOG = []

class Item:
    def __init__(self, v):
        self.v = v

    def __gt__(self, other):
        LOG.append("gt")
        return self.v > other.v

    def __lt__(self, other):
        LOG.append("lt")
        return self.v < other.v

    def __add__(self, other):
        LOG.append("add")
        return Item(self.v + other.v)

    def __hash__(self):
        LOG.append("hash")
        return 1

    def __eq__(self, other):
        LOG.append("eq")
        return self.v == other.v

def walk(items):
    for item in items:
        LOG.append("turn")
        yield item
    LOG.append("end")

def key(item):
    LOG.append("key")
    return -item

def plus(a, b):
    LOG.append("plus")
    return a + b

WAYS = (
    lambda items: sum(walk(items)),
    lambda items: sum(walk(items), *items[:1]),
    lambda items: max(walk(items)),
    lambda items: min(walk(items), key=key),
    lambda items: len(set(walk(items))),
    lambda items: len(frozenset(walk(items))),
    lambda items: len({*walk(items)}),
    lambda items: len({item for item in walk(items)}),
    lambda items: dict(walk(items)),
    lambda items: dict(zip(walk(items), items)),
    lambda items: functools.reduce(plus, walk(items)),
    lambda items: functools.reduce(plus, walk(items), *items[:1]),
)

def f(items):
    found = []
    for way in WAYS:
        LOG.clear()
        try:
            result = way(items)
        except (TypeError, ValueError, AttributeError) as error:
            result = str(error)
        found.append((result.v if isinstance(result, Item) else result, list(LOG)))
    return found

CALLS = [
    ([1, "a", 2],),
    ([Item(1), Item(3), Item(2)],),
    ([1, np.zeros(2), 2],),
    ([(1, 2), (1,), [3]],),
    ([3, 1, 2],),
    ([],),
]
