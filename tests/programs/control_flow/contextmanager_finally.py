"""`contextlib.contextmanager` with `try: yield … finally:`: the end runs whether the body raises or not."""

import contextlib
import numpy as np

AFTER = "LEVEL"
LEVEL = 0

@contextlib.contextmanager
def level(number):
    global LEVEL
    before = LEVEL
    LEVEL = number
    print("in", number)
    try:
        yield before
    finally:
        LEVEL = before
        print("out", number)

@contextlib.contextmanager
def lookup():
    try:
        yield
    except IndexError as error:
        raise ValueError("no such item") from error

def f(x, i, n):
    total = 0.0
    for k in range(n):
        with level(k) as before, lookup():
            total += x[i + k] * LEVEL + before
            if total > 5:
                return "large"
    return total, LEVEL

CALLS = [(np.arange(4.0), 0, 3), (np.arange(4.0), 1, 3), (np.arange(4.0), 3, 2), (np.arange(4.0), 0, 0)]
