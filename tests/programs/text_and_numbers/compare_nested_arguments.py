"""Comparison, membership and truth look inside containers, down to lists of the caller's."""

import numpy as np


def f(a, b, d):
    places = [a, b]
    found = places.index(a) if a in [b, [2]] else -1
    equal = 0
    for i in range(3):
        if (a, i) == ([1], 2) or [a] == [b]:
            equal += 1
    test = [a, b] == [[1], [2]], (a, 1) < (b, 0), {"k": a} != {"k": b}, a in d.values(), a in {"k": b}.values()
    return found, equal, test, places.count([1]), all((a, b)), any([a, b]), hash((1, len(a)))


CALLS = [
    ([1], [2], {"k": [1]}),
    ([1], [1], {"k": [2]}),
    ([], [2], {"k": []}),
    ([5], [6], {}),
    ([2], [np.float64(2)], {"k": [2], "l": [5]}),
]
