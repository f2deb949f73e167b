"""What a function does to long lists that it walks is seen at the next turn, walk or read, also through other names."""

import numpy as np

ITEMS = [i / 2 for i in range(40)]
ALIAS = ITEMS
COUNTS = list(range(50))
ROWS = [np.full(2, float(i)) for i in range(36)]
HELD = {"rows": ROWS, "first": ROWS[0]}
PAIRS = tuple(float(i) for i in range(64))


def walked_between_writes(n, s):
    seen = []
    for k in range(n):
        total = 0.0
        for v in ITEMS:
            total += v * s
        seen.append(total)
        if k == 1:
            ALIAS[0] = 7
        elif k == 2:
            ITEMS.append(s)
    return seen


def walked_and_written(x):
    for row, held in zip(ROWS, PAIRS):
        row += held * x[0]
        if held == 3.0:
            HELD["first"][1] = x[1]
            ROWS[5] = x * 2
    while x[0] > 1.0:
        x = x - ROWS[-1].sum() / 1000 - max(row[0] for row in ROWS) / 1000 - 1.0
        ROWS[-1][0] = x[1]
    return x, HELD["first"] is ROWS[0], [row.sum() for row in HELD["rows"][:6]]


def indexed(n, s):
    found = np.zeros(50)
    for i in COUNTS:
        if i < n:
            found[i] = PAIRS[i + 1] * s
        elif i == 10:
            COUNTS[11] = 30
    return found, {k: v for k, v in zip(PAIRS, COUNTS) if v > 45}, np.zeros(len(PAIRS) // 32)


def nested(s):
    return sum(v * w for v in PAIRS for w in ITEMS if v == w + s), [v for v in enumerate(PAIRS, 3) if v[0] < 5]


def f(x, s, n):
    return walked_between_writes(n, s), walked_and_written(x), indexed(n, s), nested(s)


CALLS = [(np.array([3.0, -1.0]), np.float64(2.0), 4), (np.array([0.5, 2.0]), np.float64(1.0), 3)] * 3
BEFORE = {
    1: "ITEMS = [i * 1.5 for i in range(33)]; ALIAS = list(ITEMS)",
    2: "ALIAS = ITEMS; PAIRS = PAIRS[::-1]; COUNTS[3] = 12",
    3: "ROWS.append(ROWS[0]); HELD['first'] = ROWS[2]",
    4: "PAIRS = tuple(map(int, PAIRS)); ITEMS[:] = [np.float64(v) for v in ITEMS]",
    5: "ITEMS = list(PAIRS); ALIAS = ITEMS; COUNTS = [float(i) for i in COUNTS]",
}
AFTER = "ITEMS, ALIAS, COUNTS, ROWS, HELD"


def noise(rng):
    return rng.normal(size=2), np.float64(rng.choice([0.5, -1.0, 2.0])), int(rng.integers(0, 5))
