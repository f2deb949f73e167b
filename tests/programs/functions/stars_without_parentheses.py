"""Tuples without parentheses that hold a star: in loops, behind ``return`` and ``yield``, in subscripts."""


def pairs(a, b):
    yield *a, b
    got = yield *a, *a
    yield got


def taken(a, b):
    return *a, b


def f(x, a, b):
    out = []
    for item in *a, *b:
        out.append(item)
    for item in *a, 5:
        out.append(item)
    for item in 1, *b:
        out.append(item)
    held = {}
    held[*a] = 1
    held[*a, 2] = 3
    held[*a] += 4
    del held[*a, 2]
    y = x.copy()
    y[*b] = 7.0
    if len(a) > 1:
        y[*b] += 1.0
    return out, list(pairs(a, b)), taken(a, b), held, y, x[*b]


import numpy as np

CALLS = [
    (np.arange(4.0).reshape(2, 2), [], (1,)),
    (np.arange(4.0).reshape(2, 2), [1, 2], (0, 1)),
    (np.arange(4.0).reshape(2, 2), (2.5,), ()),
]


def noise(rng):
    return rng.random((2, 2)), [1.5] * int(rng.integers(3)), (1, 0)[: rng.integers(3)]
