"""A call with arguments that a function does not take raises where Python raises, and can be caught."""

import numpy as np


def pair(a, b, *, scale=1):
    return (a + b) * scale


def numbers(n):
    yield n


class Box:
    def __init__(self, held):
        self.held = held

    def add(self, other):
        return self.held + other


def shown(value):
    print("shown", value)
    return value


def f(x, options):
    total = 0.0
    for i in range(3):
        try:
            total = total + pair(shown(x), i, **options)
        except TypeError:
            total = total - 1
    try:
        numbers()
    except TypeError:
        total = total * 2
    try:
        Box(x).add()
    except TypeError:
        total = total + 100
    try:
        Box()
    except TypeError:
        total = total + 1000
    if total > 1000:
        return pair(total)
    return total


CALLS = [
    (np.float64(1.0), {}),
    (np.float64(-1.0), {"scale": 2}),
    (np.float64(1.0), {"other": 2}),
    (np.float64(-700.0), {}),
]
