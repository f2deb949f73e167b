"""Methods that were compiled by themselves are methods like others: in a call of the class, an operator, a loop, a branch."""

import numpy as np

import astrace


class Counted:
    k = 0

    @astrace.compile
    def __init__(self, k=1):
        self.k = k


class Held:
    def __init__(self, v):
        self.v = v

    @astrace.compile
    def __mul__(self, other):
        return Held(self.v + other.v)

    @astrace.compile
    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return name, self.v

    @property
    @astrace.compile
    def size(self):
        return len(self.v)


class Node:
    pass


@astrace.compile
def rotate(node):
    node.parent.right = node.left


Node.rotate = rotate
top, first, second, third = Node(), Node(), Node(), Node()
top.right, first.left, second.left, first.parent, second.parent = first, second, third, top, top


def rotated(k):
    top.right = first
    if k:
        top.right = top.right.left
    top.right.rotate()
    top.right.color = k
    return [getattr(node, "color", None) for node in (first, second, third)]


def taken(text):
    out = []
    while text:
        out.append(Counted(text[:1]))
        text = text[1:]
    return [one.k for one in out]


def multiplied(v, n):
    held = Held([v])
    for _ in range(n):
        held = held * held
    return repr((held * held).v), held.size, held.missing


def f(v, k, text):
    return Counted().k, taken(text), multiplied(v, k), rotated(k)


CALLS = [(9, 0, "abc"), (1.5, 1, ""), (np.float64(2.0), 2, "x")]
