"""Arguments that functions write into, given by position, in a tuple or by the name of the array."""

import numpy as np


def f(x, y):
    total = np.zeros(())
    seen = [x.sum()]
    np.clip(x, 0, 2, x)
    seen.append(x.sum())
    np.add.reduce(x, 0, None, total)
    seen.append(total + 0)
    np.sum(y, 0, None, total)
    seen.append(total + 0)
    np.modf(y, out=(x, None))
    seen.append(x.sum())
    y.cumsum(0, None, x)
    seen.append(x.sum())
    np.copyto(dst=x, src=y)
    seen.append(x.sum())
    np.put(a=x, ind=[1], v=np.nan)
    seen.append(x.sum())
    np.nan_to_num(x, copy=False, nan=5.0)
    seen.append(x.sum())
    first = x[0] + 0
    middle = np.median(x, overwrite_input=True)
    again = x[0] + 0
    return seen, first, middle, again, np.take(y, [1, 0, 2, 3], 0, x) is x, x.sum()


CALLS = [
    (np.array([3.5, -7.0, 1.0, 2.0]), np.array([4.5, 1.0, 0.5, -2.5])),
    (np.array([3.5, 7.0, -1.0, 2.0]), np.array([4.5, 1.0, -0.5, 2.5])),
]
AFTER = "LAST"
