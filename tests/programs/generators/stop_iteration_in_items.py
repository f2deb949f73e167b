"""``StopIteration`` of what makes an item ends a ``map`` or ``filter`` early, and is an error in a generator."""

import functools

import numpy as np


def small(value):
    if value > 1:
        raise StopIteration
    return value


def pairs(values):
    others = iter(values[:1])
    return list(map(lambda one: (one, next(others)), values))


def handed_out(values):
    for value in values:
        yield small(value)


def unguarded(values):
    rest = iter(values)
    while True:
        yield next(rest)


def guarded(values):
    rest = iter(values)
    for value in values:
        try:
            yield value + next(rest)
        except StopIteration:
            return


def looped(values):
    found = []
    for value in map(small, values):
        found.append(value)
    return found


PLAIN = "AT202"
WAYS = {
    "list": lambda values: list(map(small, values)),
    "sum": lambda values: sum(map(small, values)),
    "zip": lambda values: list(zip(map(small, values), values)),
    "star": lambda values: [*map(small, values)],
    "next": lambda values: next(map(small, values[2:]), "none"),
    "filter": lambda values: list(filter(lambda one: small(one) >= 0, values)),
    "reduce": lambda values: functools.reduce(lambda a, b: a + b, map(small, values)),
    "loop": looped,
    "pairs": pairs,
    "generator expression": lambda values: list(small(one) for one in values),
    "generator": lambda values: list(handed_out(values)),
    "next in a generator": lambda values: list(unguarded(values)),
    "guarded": lambda values: list(guarded(values)),
    "comprehension": lambda values: [small(one) for one in values],
    "consumer": lambda values: [small(one) for one in map(abs, values)],
}


NAMES = tuple(WAYS)


def attempted(way, values):
    try:
        return WAYS[way](values)
    except (RuntimeError, StopIteration) as error:
        return str(error)


def f(x):
    """Each way is looked into as far as it goes."""
    return x.sum(), [attempted(way, x.tolist()) for way in NAMES]


CALLS = [(np.array(values),) for values in ([0.0, 1.0, 2.0], [1.0], [0.0, 1.0])]
