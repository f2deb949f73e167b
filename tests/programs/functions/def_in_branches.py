"""A nested function is defined in branches, in `try`, in a loop: a call of its name calls the one that was defined."""

import numpy as np

def f(x, k):
    if k > 1:
        shift = x + 1

        def g(v):
            return v + shift
    else:

        def g(v):
            return v - k

    last = None
    for i in range(k):
        if x[i] > 0:

            def last(v):
                return v * i + k

    try:
        third = x[2]

        def h(v, *, scale=2):
            return g(v) * scale + third
    except IndexError:
        h = lambda v: -v

    if last is None:
        return h(g(x))
    return h(last(x)), h is None

CALLS = [(np.array([0.0, 1.0, 2.0]), 2), (np.array([3.0]), 1), (np.array([0.0, -1.0, 2.0]), 1), (np.array([1.0]), 0)]
