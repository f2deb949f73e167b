"""Lists that loops fill, with numbers, tuples, rows and ``None``, and what is done with them behind."""

import numpy as np


def f(x, n):
    halves = [x[0]]
    for _ in range(n):
        halves.append(halves[-1] / 2)
    rows, pairs, holes = [], [], []
    for i in range(len(x)):
        rows.append(x * x[i])
        for j in range(2):
            if x[i] > j:
                pairs.append((i, x[i] - j))
        holes.append(None if x[i] < 0 else x[i])
    total = 0.0
    for index, value in pairs:
        total += index * value
    counts = [len(pairs), len(rows), 0]
    counts[2] = counts[0] + n
    if pairs:
        counts.append(pairs[0][0])
    return halves[::-1], np.stack(rows), pairs, holes, total, counts, [v + 1 for v in halves[1:]]


CALLS = [
    (np.array([1.5, -2.0, 0.5]), 2),
    (np.array([-1.0]), 0),
    (np.array([3.0, 3.0]), 1),
    (np.array([]), 1),
]
