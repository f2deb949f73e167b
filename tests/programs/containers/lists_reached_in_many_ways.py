"""A list of numbers is given a string through another name; what is known of its items must not be out of date."""

import collections

import numpy as np

class Holder:
    def __init__(self, items):
        self.items = items


def kinds(items):
    return [isinstance(item, int) for item in items]


def by_operators(n, word):
    added, extended = [i for i in range(n)], [i for i in range(n)]
    repeated, sliced = [i for i in range(n)], [i for i in range(n)]
    added += [word]
    extended.extend((word, n))
    repeated = repeated * 2 + [word]
    sliced[:1] = [word]
    return kinds(added), kinds(extended), kinds(repeated), kinds(sliced)


def by_branch(n, word):
    items, kept = [i for i in range(n)], [i for i in range(n)]
    other = items if n > 1 else None
    if other is not None:
        other.append(word)
    best = None
    for i in range(n):
        if best is None or i > 0:
            best = kept
    if best is not None:
        best.insert(0, word)
    return kinds(items), kinds(kept)


def by_containers(n, word):
    first, second, third = [i for i in range(n)], [i for i in range(n)], [i for i in range(n)]
    fourth, fifth, sixth = [i for i in range(n)], [i for i in range(n)], [i for i in range(n)]
    mixed = [first, 2.5, "a", None, (1,)]
    table, holders, queue = {}, [], collections.deque()
    for i in range(2):
        table[i] = second
        holders.append(Holder(third))
        queue.append(fourth)
    boxed = np.empty(2, object)
    boxed[1] = fifth
    mixed[n * 0].append(word)
    table[n * 0].append(word)
    holders[n * 0].items.append(word)
    queue.pop().append(word)
    boxed[1].append(word)
    largest = max([sixth, [-1]], key=len)
    largest.append(word)
    return [kinds(items) for items in (first, second, third, fourth, fifth, sixth)]


def neighbours(starts, ends, n):
    """Lists in a list that are filled one by one: the neighbours of each corner, and how far it is from the first."""
    around = [[] for _ in range(n)]
    for a, b in zip(starts, ends):
        around[a].append(b)
        around[b].append(a)
    distance, todo = [-1] * n, [0]
    distance[0] = 0
    while todo:
        corner = todo.pop(0)
        for other in around[corner]:
            if distance[other] < 0:
                distance[other] = distance[corner] + 1
                todo.append(other)
    rows = [[0] * n for _ in range(n)]
    for i in range(1, n):
        for j in range(n):
            rows[i][j] = max(rows[i - 1][j], i * j / 2)
    return around, distance, rows


def f(n, starts, ends, word):
    items = sorted(word.decode().split(","))
    for i in range(2):
        items.append(i)
    found = by_operators(n, "a"), by_branch(n, "b"), by_containers(n, "c"), kinds(items)
    return found, neighbours(starts, ends, 6)


CALLS = [
    (2, np.array([0, 1, 2, 0]), np.array([1, 2, 3, 4]), b"x,y"),
    (3, np.array([0, 5]), np.array([5, 4]), b""),
    (0, np.array([], int), np.array([], int), b"z"),
    (np.int64(2), np.array([1]), np.array([0]), b"y,x"),
]


def noise(rng):
    starts, ends = rng.integers(0, 6, (2, rng.integers(0, 9)))
    return int(rng.integers(0, 5)), starts, ends, b"b,a"
