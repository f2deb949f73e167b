"""`x += y` on containers: the right operand is asked first by lists, and by sets that decline; then another object is bound."""

import operator

import numpy as np

KEYS = {2: 1, 3: 4}.keys()


class Reflecting:
    def __radd__(self, other):
        return ("radd", other)

    def __ror__(self, other):
        return ("ror", other)


class Declining:
    def __init__(self):
        self.asked = 0

    def __radd__(self, other):
        self.asked += 1
        return NotImplemented

    def __iter__(self):
        return iter([7, 8])


def updated(items, more):
    kept = items
    items += more
    return items is kept, kept, items


def subtracted(items, more):
    kept = items
    try:
        items -= more
    except TypeError as error:
        return str(error)
    return items is kept, kept, items


def united(items, more):
    kept = items
    items |= more
    return items is kept, kept, items


def in_loop(n, more):
    items = kept = [0.0]
    for _ in range(n):
        items += more
    return items is kept, kept, items


def in_branch(n, more):
    items = kept = [0.0]
    if n > 1:
        items = operator.iadd(items, more)
    return items is kept, kept, items


def held(n, more):
    holder = {"items": [n]}
    kept = holder["items"]
    holder["items"] += more
    return kept, holder


def f(n, more, other):
    asked = Declining()
    return (
        updated([n], more), updated([n], np.float64(n)), updated([n], Reflecting())[2][0], updated([n], asked), asked.asked,
        subtracted([n], np.ones(1)), subtracted({n, 2}, KEYS), subtracted({n, 2}, {2}), subtracted([n], {n}),
        united({n}, {5}), united({n: 1}, {2: 3}), united({n}, KEYS), united({n}, Reflecting())[2][0],
        in_loop(n, more), in_branch(n, more), held(n, more), updated(other, more), operator.isub({n, 3}, KEYS),
    )


CALLS = [
    (1, [2], [3]), (2, np.ones(1), [3]), (0, (4, 5), [3]), (3, np.ones(1), [[1.0]]), (2, [1.5], np.zeros(1)),
]
