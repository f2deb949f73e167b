"""Names that NumPy had once, or has and warns of: looked up when the program runs."""

import numpy as np

WARNS = True


def f(x, old):
    try:
        area = np.trapz(x)
    except AttributeError as error:
        area = np.trapezoid(x) if hasattr(np, "trapezoid") else str(error)
    integrate = getattr(np, "trapz", np.trapezoid)
    if old:
        return np.product(x)
    with np.nditer([x, None], flags=["external_loop"], op_flags=[["readonly"], ["allocate"]]) as walk:
        for given, taken in walk:
            np.multiply(given, 2, out=taken)
        doubled = walk.operands[1]
    return area, integrate(x), doubled


CALLS = [(np.array([1.0, 4.0, 9.0]), False), (np.array([1.0, 2.0]), True)]
