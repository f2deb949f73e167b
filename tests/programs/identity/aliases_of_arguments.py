"""The same object given twice, one inside another, and objects that contain themselves."""

import numpy as np


class Node:
    def __init__(self):
        self.value, self.me, self.child = 1, self, None


def lists(a, b):
    a.append(1)
    if len(b) > 1:
        b.append(2)
    return len(a), len(b), a is b


def held(a, b):
    index = len(b)
    b.append(a)
    a.append(3)
    found = b[index] is a, len(b[index]), a is b
    del b[index]
    return found


def tables(a, b):
    x, y = {"rows": a}, {"rows": b}
    for row in (x, y):
        row["rows"].append(4)
    return [len(one["rows"]) for one in (x, y)]


def arrays(x, pair):
    pair[0][0] += 1
    try:
        x[1] = pair[1].sum()
    except IndexError:
        pass
    return x.sum(), pair[0] is x, pair[1] is x


def cyclic(ring):
    ring[0] += 1
    return ring[1] is ring, ring[1][1][0], len(ring)


def linked(node):
    node.child.parent.value = 5
    return node.value, node.child.parent is node, node.me is node, node.me.me.value


def f(a, b, x, pair):
    ring = RING
    return lists(a, b), tables(a, b), arrays(x, pair), cyclic(ring), linked(NODE), held(a, b)


RING = [1]
RING.append(RING)
NODE = Node()
NODE.child = Node()
NODE.child.parent = NODE


def twice(make):
    made = make()
    return made, made


def arguments(one_list, one_array):
    a, b = twice(lambda: [1, 2]) if one_list else ([1, 2], [1, 2])
    x, y = twice(lambda: np.arange(3.0)) if one_array else (np.arange(3.0), np.arange(3.0))
    return a, b, x, [y, np.ones(3)]


CALLS = [arguments(True, True), arguments(False, False), arguments(True, False), arguments(False, True)]
AFTER = "RING[0], NODE.value"


def noise(rng):
    return arguments(*(bool(rng.integers(2)) for _ in range(2)))
