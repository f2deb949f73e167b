"""A list is empty while it is sorted in place, and its keys may see that, or change it."""

import numpy as np


class Bag:
    def __init__(self, items):
        self.items = items

    def rank(self, item):
        return -item if self.items else item

    def arranged(self):
        self.items.sort(key=lambda item: -item if self.items else item)
        return list(self.items)

    def ranked(self):
        self.items.sort(key=self.rank)
        return list(self.items)


def made(n):
    items = [3, 1, 2][:n]
    items.sort(key=lambda item: item * (1 - 2 * len(items)))
    return items


def collected(x):
    items = [row * 2 for row in x]
    items.sort(key=lambda item: item if len(items) == 0 else -item)
    return items


def changed(x):
    items = [row for row in x]

    def key(item):
        items.append(item)
        return -item

    try:
        items.sort(key=key)
    except ValueError as error:
        return str(error), items
    return "sorted", items


def left(x, most):
    items = [row for row in x]

    def key(item):
        if item > most:
            raise KeyError(item)
        return -item

    try:
        items.sort(key=key)
    except KeyError as error:
        return error.args[0], items
    return "sorted", items


def f(x, n, most):
    bag = Bag([row for row in x])
    by_sign = sorted(x.tolist(), key=lambda item: -item)
    return made(n), collected(x), changed(x), left(x, most), bag.arranged(), bag.ranked(), by_sign


CALLS = [
    (np.array([1.0, 2.0, 3.0]), 3, 2.5),
    (np.array([2.0, 1.0]), 2, 9.0),
    (np.zeros(0), 0, 0.0),
    (np.array([3, 1, 2]), 1, 1),
]
