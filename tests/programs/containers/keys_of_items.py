"""`sorted`, `max`, `min` and `list.sort` with local functions and lambdas as keys, over items of any kind."""

import numpy as np


class Body:
    def __init__(self, mass, place):
        self.mass, self.place = mass, place


def shortest(edges, count):
    """Kruskal's spanning tree: the edges by their weights."""
    parent = np.arange(count)

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    total = 0.0
    for a, b, weight in sorted(edges, key=lambda edge: edge[2]):
        a, b = root(a), root(b)
        if a != b:
            parent[a] = b
            total += weight
    return total, parent


def f(x, edges, words):
    asked = []

    def size(value):
        asked.append(value)
        return abs(value)

    by_size = sorted(x, key=size, reverse=True)
    where = max(range(len(x)), key=lambda i: x[i])
    least = min(x, key=lambda value: (value % 3, -value))
    some = [(i, value) for i, value in enumerate(x) if value > 0]
    some.sort(key=lambda pair: -pair[1])
    none = max([value for value in x if value > 100], key=lambda value: -value, default=None)
    bodies = sorted([Body(value, i) for i, value in enumerate(x)], key=lambda body: -body.mass)
    larger = max(x, x[::-1][:1] + 5, key=lambda part: part.sum())
    mixed = sorted(words.decode().split(","))
    for i in range(2):
        mixed.append(i)
    kinds = [isinstance(word, int) for word in mixed]
    first = max(x[x > 1], key=lambda value: value)
    return by_size, asked, where, least, some, none, [b.place for b in bodies], larger, kinds, first, shortest(edges, 4)


EDGES = [(0, 1, 0.5), (1, 2, 0.1), (0, 2, 0.2), (2, 3, 0.9)]
CALLS = [
    (np.array([3.0, -1.0, 2.0, -3.0]), EDGES, b"b,a"),
    (np.array([2, 5, 1, 5]), EDGES[::-1], b""),
    (np.array([1.0]), [(0, 1, 1), (2, 3, 1), (0, 3, 1)], b"x,y,z"),
    (np.array([]), EDGES, b"x"),
    (np.array([3.0, np.nan, 2.0]), EDGES, b"b,a"),
]
