"""A change through a dict that nobody knows may be one of the globals: classes are read when the program runs."""

import numpy as np


class Strategy:
    pass


class Other(Strategy):
    pass


first = np.vectorize(lambda value: value, otypes=[object])


def f(tables, rule, k):
    table = first(tables)[0]
    table["n"] = k
    kinds = (np.random.Generator, np.ndarray)
    if isinstance(rule, kinds):
        return isinstance(rule, np.random.Generator), issubclass(np.float64, np.floating)
    if isinstance(rule, Strategy):
        return k + 1
    if isinstance(k, (Strategy, float)):
        return k + 2
    return issubclass(type(rule), Strategy), issubclass(type(k), (Strategy, int)), callable(Strategy)


CALLS = [
    (np.array([{}], dtype=object), None, 2),
    (np.array([{"n": 1}], dtype=object), Other(), 2),
    (np.array([{}], dtype=object), None, 2.5),
    (np.array([{}], dtype=object), Other, 3),
    (np.array([{}], dtype=object), np.random.default_rng(1), 3),
]
