"""Several handlers, the first that fits, and a re-raise."""

import numpy as np

def f(x, i):
    try:
        r = x[i] / i
    except ZeroDivisionError:
        return "zero"
    except (IndexError, KeyError) as e:
        if i > 100:
            raise
        return type(e).__name__
    return r

CALLS = [(np.array([1.0, 2.0]), 1), (np.array([1.0, 2.0]), 5), (np.array([1.0, 2.0]), 500), (np.array([1.0, 2.0]), 0)]
