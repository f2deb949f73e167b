"""A local function that opaque code is given has its annotations, which are computed where it is defined."""

import inspect
import operator

import numpy as np

def f(x, kind):
    def scale(v: kind, by: int = 2) -> "float":
        return v * by
    found = operator.call(lambda: (dict(scale.__annotations__), str(inspect.signature(scale))))
    return found, operator.call(scale, x)

CALLS = [(1.5, float), (np.arange(3.0), np.ndarray)]
PLAIN = "AT204"
