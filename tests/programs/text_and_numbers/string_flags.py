"""String, enum and type arguments decide."""

import numpy as np

import enum

class Mode(enum.Enum):
    SUM = 1
    MEAN = 2

def f(x, how, mode, kind):
    if how == "double":
        x = x * 2
    if mode is Mode.SUM:
        r = x.sum()
    elif mode == Mode.MEAN:
        r = x.mean()
    return r.astype(kind), how + mode.name

CALLS = [(np.arange(3.0), "double", Mode.SUM, np.float32), (np.arange(3.0), "x", Mode.MEAN, int)]
