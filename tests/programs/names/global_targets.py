"""Names declared `global` as targets of `for`, `with`, `except`, `import`, `while`, `:=`, unpacking and `del`."""

import contextlib

import numpy as np

@contextlib.contextmanager
def entered(v):
    yield v

def f(x, k):
    global step, item, inner, error, root, count, first, gone
    for step in range(k):
        pass
    for item, (inner, q) in zip(x, zip(x, x)):
        if item > 1:
            count += inner + q
    with entered(x + 1) as first:
        y = first * 2
    try:
        y[k] += 1
    except IndexError as error:
        count += 1
    from math import sqrt as root

    while count > k:
        count = k
    if (first := x.sum()) > 2:
        count += root(4.0)
    (inner, q), *rest = (k, 2), 3
    gone = q
    del gone
    return y, step, count

step = item = inner = error = None
count = 0
CALLS = [(np.arange(4.0), 3), (np.arange(2.0), 5), (np.zeros(0), 1)]
AFTER = "step, item, inner, 'error' in globals(), root(9.0), count, first, 'gone' in globals()"
