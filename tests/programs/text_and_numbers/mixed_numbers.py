"""Python's numbers with NumPy's: whose arithmetic it is shows in the type, and in what raises."""

import numpy as np


def refused(compute):
    try:
        compute()
    except (TypeError, ZeroDivisionError) as error:
        return type(error)


def f(z, g, h, x):
    found = [type(z + g), isinstance(z * g, np.generic), (z == g) is True, type(h**2), type(z / 2)]
    found += [refused(lambda: -h), refused(lambda: x & 1), refused(lambda: z < 1.5), refused(lambda: z / g)]
    found += [refused(lambda: x % z), refused(lambda: g % z)]
    for _ in range(len(x)):
        t = x & x
    return found, x


CALLS = [
    (1j, np.float64(2.0), np.bool_(True), np.ones(0)),
    (2j, np.float64(0.0), np.bool_(False), np.ones(0)),
    (2j, np.float64(0.0), np.bool_(False), np.ones(1)),
]
