"""A method of a list or dict that is passed on belongs to the object that is there when the program runs."""

import functools

import numpy as np


def f(table, keys, x):
    kept = []
    keep = kept.append
    keep(x)
    list(map(keep, keys))
    total = functools.reduce(lambda found, key: found + table.get(key), keys, x)
    made = {key: -table[key] for key in ["a", "b"]}
    best = max(["a", "b"], key=table.get), sorted(keys, key=made.get)
    return kept, total, best, functools.partial(table.get, "a")()


CALLS = [
    ({"a": 1, "b": 2}, ["a", "b"], 1.5),
    ({"a": 2, "b": 1}, ["a", "b"], np.float64(2.0)),
    ({"a": 2, "b": 1}, ["b"], 2),
]
