"""A nested function assigns through `nonlocal` where only some of its calls happen: ternary, `and`, chained
comparison, comprehension, the test of a loop, a helper's branch.
"""

import numpy as np

def when(k, function):
    if k > 0:
        function(10)

def f(x, k):
    n = 0
    seen = 0.0

    def bump(d):
        nonlocal n
        n += d
        return n

    def add(v):
        nonlocal seen
        seen = seen + v
        return seen

    first = bump(1) if k > 2 else None
    k > 1 and bump(2)
    between = 0 < k < bump(3)
    sums = [add(v) for v in x if v > 0]
    while add(1.0) < k:
        bump(4)
    when(k, bump)
    return n, seen, first, between, sums

CALLS = [(np.array([1.0, -2.0, 3.0]), 1.5), (np.array([]), 7.0), (np.array([-1.0, 0.5]), -1.0)]
