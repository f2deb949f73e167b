"""What is done to an object that only the running program knows is seen by the names it was given under."""

import numpy as np


class Counter:
    def __init__(self, value):
        self.value = value
        self.name = None

    def step(self):
        self.value += 1


def add(rows):
    rows[0].append(5)


def clear(rows):
    rows[0].clear()


def f(rows, counters, changes, i):
    longer = rows[0] if counters[i].value > 1 else rows[1]
    longer.append(1)
    rows[i] += [4]
    seen = len(rows[0]), len(rows[1]), rows[0][-1]
    total = 0
    for turn in range(3):
        total += counters[0].value
        counters[i].step()
        counters[i].name = "changed"
        rows[i].append(turn)
    changes[i](rows)
    return seen, total, counters[1].name, len(rows[0]), max(rows) is rows[0]


CALLS = [
    ([[1], [2]], [Counter(1), Counter(2)], [add, clear], 0),
    ([[1], [2]], [Counter(1), Counter(2)], [add, clear], 1),
    ([[3], []], [Counter(np.int64(5)), Counter(2)], [add, clear], 1),
]
