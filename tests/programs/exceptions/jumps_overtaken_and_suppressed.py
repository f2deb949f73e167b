"""A manager that suppresses the exception by which a ``return`` was overtaken: the function goes on behind it."""

import contextlib

import numpy as np


class Closing:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        raise ValueError("closed")


def f(x):
    with contextlib.suppress(ValueError):
        with Closing():
            return x, 1
    return x + 5.0, 2


CALLS = [(1.5,), (np.float64(0.5),)]
PLAIN = "AT209"
