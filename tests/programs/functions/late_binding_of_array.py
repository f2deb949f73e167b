"""Closures over the rows of an array."""

import numpy as np


def f(n):
    x = np.arange(3.0) + n
    fs = [lambda: v * 2 for v in x]
    return [f() for f in fs]


CALLS = [(0,), (4,), (2.5,)]
PLAIN = "AT204"
