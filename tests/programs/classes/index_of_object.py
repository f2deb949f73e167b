"""An object with ``__index__`` is a number wherever Python wants a position, a count or a size."""

import numpy as np


class Position:
    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


def f(position, n, items, x):
    for k in range(position):
        x = x + k
    made = Position(n)
    changed = [1, 2, 3, 4]
    changed[position] = 7
    del changed[made:]
    picked = [5, 6, 7][position], "abc"[made], items[position], (1, 2, 3)[:position], [5, 6, 7].pop(made)
    return x, changed, picked, [0] * position, "ab" * position, int(position), hex(position), x[made], np.zeros(position)


CALLS = [
    (Position(1), 1, [1, 2, 3], np.arange(4.0)),
    (Position(2), 0, [4, 5, 6], np.arange(4.0)),
    (Position(0), 2, [4, 5, 6], np.arange(4.0)),
]
