"""Other statements: with stmt."""

import numpy as np

import contextlib
@contextlib.contextmanager
def ctx():
    yield 5
def f(s):
    with ctx() as v:
        r = s * v
    return r

CALLS = [
    (np.float64(3.0),),
    (np.float64(-3.0),),
]
