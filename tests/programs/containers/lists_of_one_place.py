"""Lists that one place of the program makes, and that come to hold one another."""

import numpy as np


class Stack:
    def __init__(self):
        self.items = []


def new():
    return []


def sliced(x, n):
    a, b = new(), new()
    for v in x:
        a.append(v)
        b.append(a)
        if v > n:
            a = b[:]
    return a, b


def caught(x, n):
    a, b = Stack(), Stack()
    for v in x:
        a.items.append(v)
    try:
        x[n]
        a.items.append(b.items)
        b.items.append(1)
        a.items[-1].append(7)
    except IndexError:
        b.items.append(3)
    return a.items, b.items


def nested(x, n):
    l = []
    for v in x:
        m = new()
        m.append(l)
        l = m
        if v > n:
            l.append(v)
    return l


def shared(x, n):
    a, b = new(), new()
    for v in x:
        b.append(v)
        a.append(b)
        a[0].append(n)
        for r in a:
            if len(r) > 3:
                r.pop()
            else:
                r.append(a[-1][0])
    return a, b


def f(x, n):
    return sliced(x, n), caught(x, n), nested(x, n), shared(x, n)


CALLS = [(np.arange(4.0), 1), (np.arange(4.0), 5), (np.zeros(0), 0), (np.ones(1), 3)]
