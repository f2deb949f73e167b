"""``itertools.chain``: each iterable is asked for its items when its turn comes, and the items stay what they are."""

import itertools
from itertools import chain

import numpy as np


class Unit:
    __hash__ = None

    def __init__(self, size):
        self.size = size

    def __eq__(self, other):
        return self.size == other


def first_unit(*args, **kwargs):
    for arg in chain(args, kwargs.values()):
        if isinstance(arg, Unit):
            return arg.size
    raise TypeError("no unit")


def total(xs, ys):
    found = 0.0
    for value in chain(xs, ys, (1.0, 2.0)):
        found = found * 2 + value
    return found


def collected(xs, ys):
    return list(chain(xs, ys)), tuple(chain.from_iterable([xs, ys, (5,)])), sum(chain(xs, ys))


def left(xs, ys):
    out = []
    for value in chain(xs, ys):
        if value > 2:
            break
        out.append(value)
    else:
        out.append(-1)
    return out


def refused(xs, ys):
    out = []
    try:
        for value in chain(xs, 5, ys):
            out.append(value)
    except TypeError as error:
        out.append(str(error))
    return out


def late(xs, ys):
    grown = [1.0]
    chained = chain(xs, grown)
    grown.append(2.0)
    return list(chained), list(chained), type(chained) is chain, iter(chained) is chained


def stepped(xs, ys):
    chained = chain(xs, [9.0])
    first = next(chained)
    return first, next(chained), list(chained)


def paired(xs, ys):
    return list(zip(chain(xs, ys), chain.from_iterable(xs for _ in range(2))))


def largest(xs, ys):
    return sorted(itertools.chain(xs, ys, [0.5])), max(chain(xs, ys, (2,))), any(chain(xs, (0,)))


def empty(xs, ys):
    return list(chain()), list(chain([])), list(chain.from_iterable([])), [*chain(xs, ys)]


def misused(xs, ys):
    out = []
    for wrong in (lambda: chain(xs, y=1), lambda: chain.from_iterable(xs, ys), lambda: chain.from_iterable(1)):
        try:
            out.append(wrong())
        except TypeError as error:
            out.append(str(error))
    return out


def yielding(xs, seen):
    for value in xs:
        seen.append(value)
        yield value


def lazily(xs, ys):
    seen = []
    for value in chain(yielding(xs, seen), yielding(ys, seen)):
        if len(seen) > 2:
            break
    return seen, value if seen else None


FUNCTIONS = {
    one.__name__: one
    for one in (total, collected, left, refused, late, stepped, paired, largest, empty, misused, lazily)
}


def f(xs, ys, *args, **kwargs):
    if args or kwargs:
        return first_unit(*args, **kwargs)
    return {name: function(xs, ys) for name, function in FUNCTIONS.items()}


CALLS = [
    ([1.0, 3.0], [4.0]),
    ([5.0], [0.5, 1.5]),
    ({1.5: 2}, (2.5, 0.5, 3.5)),
    (np.arange(3.0), range(40)),
    (None, None, 1, Unit(2.0)),
    (None, None, Unit(np.ones(2)), Unit(3)),
    (None, None, 1, 2),
]
