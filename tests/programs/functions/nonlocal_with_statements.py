"""A variable that nested functions assign is assigned by the function's own statements too: in branches, loops,
`try`, as a loop's target, by `del`.
"""

import numpy as np

def f(x, c):
    n = 0

    def bump(d):
        nonlocal n
        n = n + d

    def drop():
        nonlocal late
        del late

    def start():
        nonlocal late
        late = c

    for v in x:
        if v > 1:
            n = n * 2
            bump(1)
        elif v < 0:
            bump(3)
        else:
            n -= 1
    try:
        y = x[c]
        bump(2)
    except IndexError:
        bump(10)
        y = -1.0
    if c > 0:
        start()
    if c > 1:
        drop()
    if c > 2:
        late = n
    found = [n]
    for n in range(c):
        if y > 0:
            bump(10)
        found.append(n)
    return n, found, late

CALLS = [
    (np.array([2.0, -1.0, 0.5]), 1),
    (np.array([2.0, -1.0, 0.5]), 0),
    (np.array([]), 1),
    (np.array([1.0, 3.0]), 2),
    (np.array([1.0, 3.0]), 3),
]
