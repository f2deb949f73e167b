"""What operators refuse, of constants, tuples and NumPy scalars, is told in Python's words: ``-=`` is not ``-``."""

import numpy as np


def told(action):
    try:
        return action()
    except TypeError as error:
        return str(error)


def f(x, s):
    log = [told(lambda: ~1j), told(lambda: -"a"), told(lambda: +b""), told(lambda: ~True), told(lambda: -1j)]
    pair = np.log(x), s
    try:
        pair -= 8.0
    except TypeError as error:
        log.append(str(error))
    held = x, [x]
    try:
        held -= 1.5
    except TypeError as error:
        log.append(str(error))
    held += (s,)
    return log, held


CALLS = [(np.arange(1.0, 3.0), np.float64(2.0)), (np.arange(1.0, 4.0), np.float64(0.5))]
