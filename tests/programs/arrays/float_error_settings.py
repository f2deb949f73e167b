"""How NumPy treats floating point errors, and prints: set, and set back to what was before."""

import numpy as np

WARNS = True


def f(x):
    old = np.seterr(divide="ignore")
    try:
        first = 1 / x
    finally:
        np.seterr(**old)
    options = np.get_printoptions()
    np.set_printoptions(precision=2)
    shown = str(x / 3)
    np.set_printoptions(**options)
    loud = np.geterr()
    loud["divide"] = "raise"
    try:
        with np.errstate(**loud):
            second = 1 / x
    except FloatingPointError as error:
        second = str(error)
    return first, second, shown, np.geterr() == old, old["over"], 1 / x


CALLS = [(np.array([1.0, 0.0]),), (np.array([1.0, 3.0]),)]
