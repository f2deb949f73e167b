"""Arrays that change places in loops: which of them is which at the end depends on the number of turns."""

import numpy as np


def step(new, old):
    new[1:-1] = old[1:-1] + 0.25 * (old[2:] - 2.0 * old[1:-1] + old[:-2])


def of_own(u, steps):
    last, now, later = u.copy(), u.copy(), np.zeros_like(u)
    for _ in range(steps):
        later[1:-1] = 2.0 * now[1:-1] - last[1:-1] + 0.1 * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        last, now, later = now, later, last
    return now, now - last


def with_argument(u, steps):
    old, new = u, u.copy()
    for _ in range(steps):
        step(new, old)
        old, new = new, old
    return old


def while_large(u):
    old, new = u * 1.0, u * 0.0
    turns = 0
    while abs(old).max() > 0.5 and turns < 9:
        new[:] = old / 2
        new[0] = old[-1]
        old, new = new, old
        turns += 1
    return old, new, turns


def nested(u, steps):
    a, b = u, np.ones_like(u)
    for _ in range(2):
        for i in range(steps):
            a[i % len(a)] += b[0]
            a, b = b, a
        b[-1] -= 1
    return a, b


def f(u, steps):
    return of_own(u, steps), while_large(u), with_argument(u, steps), u.sum(), nested(u, steps)


CALLS = [(np.array([0.0, 1.0, 3.0, 0.0, 2.0]), steps) for steps in (0, 1, 2, 5)]
