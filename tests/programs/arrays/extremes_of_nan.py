"""The largest and the smallest of items among which NaN stands: NaN, wherever it stands and however many items there are."""

import numpy as np


def of_rows(x):
    return x.max(axis=1), np.amin(x, axis=1), np.ptp(x, axis=1), np.maximum.reduce(x, axis=1)


def of_columns(x):
    return np.max(x, axis=0), x.min(axis=0), np.minimum.reduce(x), x.max(axis=0, keepdims=True)


def of_all(x):
    return x.max(), x.min(), np.ptp(x), np.max(np.abs(x - 0.5)), np.linalg.norm(x[0], np.inf), x.argmax()


def in_loop(x):
    found = np.zeros(len(x))
    for i in range(len(x)):
        found[i] = x[i].max() - x[i].min()
    return found


def f(x):
    return of_rows(x), of_columns(x), of_all(x), in_loop(x)


def numbers(rows, columns, every):
    found = np.random.default_rng(0).random((rows, columns))
    found.ravel()[::every] = np.nan
    return found


CALLS = [
    (np.linspace(-1.0, 1.0, 12).reshape(3, 4),),
    (numbers(5, 3, 4),),
    (numbers(300, 2, 5),),
    (numbers(300, 2, 3001),),
    (numbers(40, 50, 7),),
    (np.full((2, 2), np.nan),),
    (numbers(64, 3, 4).astype(np.float32),),
]
