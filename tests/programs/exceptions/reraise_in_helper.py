"""A bare ``raise`` in a function that a handler calls raises what is being handled; what was done before stays done."""

import numpy as np


def again(seen, deep):
    seen.append("again")
    if deep:
        print("deeper")
        again(seen, False)
    raise


def failing(seen, x):
    print("failing")
    seen.append(x)
    raise ValueError(x)


def f(x, i, seen):
    try:
        y = x[i]
    except (IndexError, KeyError):
        try:
            again(seen, i > 5)
        except IndexError:
            y = -1.0
    try:
        again(seen, False)
    except RuntimeError:
        y = y * 2
    try:
        failing(seen, y)
    except ValueError:
        y = y + 0.5
    if y < -1:
        raise
    return y


CALLS = [
    (np.arange(3.0), 1, []),
    (np.arange(3.0), 4, []),
    (np.arange(3.0), 9, [1]),
]
