"""`f(*items)` and `[*items]` where the data say how many items there are."""

import math

import numpy as np


class Range:
    def __init__(self, row):
        self.row = row

    def __iter__(self):
        return iter((self.row.min(), self.row.max()))


class Steps:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        for i in range(self.n):
            yield i * i


def f(x, n):
    low, high = Range(x[:1])
    squares = [-1, *Steps(n), *Range(x[:1])]

    def extremes(row):
        return row.min(), row.max()

    rows = [extremes(row) for row in x]
    lows, highs = zip(*rows)
    columns = [list(column) for column in zip(*[[i, i * i] for i in range(n)], range(n))]
    positive = [value for value in x[0] if value > 0]
    length = math.hypot(*positive)
    largest = max(*positive, 0.5, *positive[:1])
    both = [n, *positive, "end", *rows]
    both.append(lows)
    shapes = {(): 1}.get(tuple(positive[:0]), 2)
    text = "{} and {}".format(*rows[-1])
    picked = x.take(*[list(range(n)), 0])
    print(*positive, sep=" + ", end=";\n")
    return np.array(lows), highs, columns, length, largest, both, shapes, text, picked, np.stack([*rows, rows[0]]), low + high, squares


CALLS = [
    (np.array([[3.0, -1.0, 4.0], [0.0, 2.0, 1.0]]), 2),
    (np.array([[3, 4], [1, 2], [5, 0]]), 1),
    (np.array([[3.0, 4.0]]), 0),
    (np.array([[-3.0, -4.0]]), 0),
    (np.zeros((0, 2)), 0),
]
