"""`*` in a display, over what has as many items as the data says."""

import numpy as np


def above(x, limit):
    for v in x:
        if v > limit:
            yield v


def f(x, limit, items):
    items.append(limit)
    found = [*above(x, limit)]
    both = [limit, *above(x, limit), *items, *map(np.negative, x[x > limit]), len(found)]
    pair = (*above(x, 0.0), limit)
    kinds = {*above(x, limit), limit}
    both[0] = "first"
    found.append(None)
    nested = x.reshape(1, -1).tolist()
    nested[0][0] = 7
    nested[0].append(limit)
    a, *b = [*x[:2], *items]
    return found, both, pair, sorted(kinds), items, [*found], nested, a, b


CALLS = [(np.arange(4.0), 1.5, [1.0]), (np.arange(4.0), 9.0, []), (np.array([3.0, 2.5, 0.1]), -1.0, [2.0, 3.0])]
AFTER = "LAST"


def noise(rng):
    return rng.normal(size=int(rng.integers(2, 5))), float(rng.normal()), [1.0]
