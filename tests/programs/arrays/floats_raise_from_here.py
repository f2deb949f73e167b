"""What was computed before NumPy is set to raise is computed again after it, and raises, also where opaque code sets it."""

import numpy as np

loudly = eval("lambda: np.seterr(invalid='raise') and None")


def f(x, quiet, opaque):
    y = x * 1.0
    with np.errstate(invalid="ignore"):
        first = np.log(y)
        if opaque:
            loudly()
            again = np.log(y)
        else:
            old = np.seterr(invalid="ignore" if quiet else "raise")
            again = np.log(y)
            np.seterr(**old)
    return first + again


PLAIN = "AT101"

CALLS = [
    (np.array([1.0, 2.0]), False, False),
    (np.array([-1.0, 2.0]), True, False),
    (np.array([-1.0, 2.0]), False, False),
    (np.array([1.0, 2.0]), False, True),
    (np.array([-1.0, 2.0]), False, True),
]
