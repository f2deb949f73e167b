"""A name that holds a nested function on one path only: calling it on the others raises what Python raises."""

import numpy as np

def f(x, k):
    g = None
    if k > 1:

        def g(v):
            return v * k

    if k > 0:

        def h(v):
            return v + k

    return h(g(x)) if x[0] > 0 else h(x)

CALLS = [(np.ones(3), 2), (np.ones(2), 1), (np.zeros(2), 1), (np.zeros(2), 0)]
