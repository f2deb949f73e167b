"""Calls of builtins that Python refuses raise what Python raises, where the program comes there."""

from functools import reduce

import numpy as np

class Box:
    value = 1

def f(x, k):
    box = Box()
    if k == 0:
        return len(x, 1)
    if k == 1:
        return hasattr(box, 1)
    if k == 2:
        setattr(box, "value")
    elif k == 3:
        setattr(box, 3, x)
    elif k == 4:
        delattr(box)
    elif k == 5:
        return sum()
    elif k == 6:
        return [v for v in map(abs)]
    elif k == 7:
        return next()
    elif k == 8:
        return divmod(x)
    elif k == 9:
        return sorted(x, reversed=True)
    elif k == 10:
        return reduce(max)
    elif k == 11:
        return getattr(box, "value", default=2)
    elif k == 12:
        return isinstance(x)
    try:
        return any(x, x)
    except TypeError as error:
        return str(error), len(x)

CALLS = [(np.arange(3.0), k) for k in range(14)]
