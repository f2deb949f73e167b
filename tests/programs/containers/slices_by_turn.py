"""Slices whose length depends on the turn of a loop: read, written, added up, multiplied, of steps and from the end."""

import numpy as np


def read(x, y):
    found = np.zeros((len(x), 9))
    for i in range(len(x)):
        part, back = x[: i + 1], x[i:][::-1]
        found[i, 0] = part.sum() + back.prod()
        found[i, 1] = part @ y[: i + 1] + np.dot(back, y[i:])
        found[i, 2] = part.max() - back.min() + part.argmax() * back.argmin()
        found[i, 3] = np.mean(x[i::2]) + x[i::-1].mean()
        found[i, 4] = (part > 0).any() + (back > 0).all() + np.count_nonzero(part)
        found[i, 5] = part[-1] * back[0] - part[i] + len(x[i : i + 3])
        found[i, 6] = np.linalg.norm(part) + np.abs(x[-i - 1 :]).sum()
        found[i, 7] = np.where(part > 0, part, y[: i + 1]).sum() + x[i : i + 3].sum() + x[i : 2 - i].sum()
        for v in part[1:-1]:
            found[i, 8] += v * v
    return found


def write(a, x):
    for i in range(len(x)):
        a[i, :i] = 0.5
        a[i:, i] *= x[i]
        a[i, i:] += x[i:] * a[i, i]
        a[: i + 1, i : i + 2] -= 1.0
        a[i:, i:] += np.outer(x[i:], x[i:]) / 4
        a[-1, i::2] = x[i::2]
        a.T[i, : i + 1] -= a[: i + 1, :i] @ x[:i]
        saved = a[i, i:].copy()
        a[i, i:] = 2 * saved + 1
        saved[:] = 0
    return a


def f(a, x, y):
    return read(x, y), write(a, x)


CALLS = [
    (np.arange(16.0).reshape(4, 4), np.array([1.0, -2.0, 0.5, 3.0]), np.array([0.5, 2.0, -1.0, 1.0])),
    (np.ones((1, 1)), np.array([2.0]), np.array([3.0])),
    (np.ones((3, 3)), np.array([2.0, 1.0]), np.array([3.0, -1.0])),
]
