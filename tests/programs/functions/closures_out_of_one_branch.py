"""Local functions are returned out of branches, each with what its variables hold there."""

import numpy as np


def unwrapped(x, y):
    """Both ways give a function, of which one reads what was computed on its way."""
    if not (x[0] > 0):
        return (x, y), lambda v: v
    first = x[1] * 2
    x = x + first
    return (x, y), lambda v: v * first


def either(x):
    """The same variable in both branches: data in one, a constant in the other."""
    if x[0] > 0:
        by = x[1] + 1
        return lambda v: v + by
    by = 5.0
    return lambda v: v * by


def constants(x):
    if x[0] > 0:
        by = 7.0

        def scaled(v):
            return v * by

        return scaled
    elif x[1] > 0:
        by = 5
        return lambda v: v - by
    by = "none"
    return lambda v: by


def partly(x):
    """One way never assigns the variable; its function fails as in Python."""
    if x[0] > 0:
        by = x[1]
        return lambda v: v + by
    if x[1] < 0:
        return lambda v: by  # noqa: F821
    return lambda v: v


def late(x):
    """The variable is assigned after the branches; the functions see that."""
    if x[0] > 0:
        by = x[1] + 1
        scaled = lambda v: v * by  # noqa: E731
    else:
        by = x[2] - 1
        scaled = lambda v: v - by  # noqa: E731
    before = scaled(x)
    by = by + 100.0
    return before, scaled(x)


def nested(x):
    if x[0] > 0:
        by = x[1] + 1
        if x[2] > 2:
            more = by * 3
            return lambda v: v + more
        return lambda v: v * by
    if x[1] > 0:
        return lambda v: -v
    raise ValueError("none")


def two(x):
    """Two functions share a variable."""
    if x[0] > 0:
        held = x[1] + 1
        return (lambda: held), (lambda v: held + v)
    return (lambda: 0.0), (lambda v: v)


def counted(x):
    """The function assigns the variable itself."""
    if x[0] > 0:
        count = x[1] + 1

        def step():
            nonlocal count
            count += 1
            return count
    else:

        def step():
            return 0.0

    return step


def calls(x):
    """A function that reads another one of its branch, and one that calls itself."""
    if x[0] > 0:
        by = x[1] + 1

        def inner(v):
            return v * by

        def outer(v, n=2):
            return inner(v) if n <= 0 else outer(v, n - 1) + by
    else:

        def outer(v):
            return v

    return outer


def looped(x):
    total = x * 0
    for i in range(len(x)):
        if x[i] > 0:
            by = x[i] * 2
            step = lambda v: v + by  # noqa: E731
        else:
            step = lambda v: v - 1  # noqa: E731
        total = step(total)
    return total


def f(x):
    args, wrap = unwrapped(x, 2 * x)
    get, add = two(x)
    step = counted(x)
    found = wrap(np.where(x > 1, *args)), either(x)(x), either(x)(3.0), constants(x)(x), late(x)
    counts = get(), add(1.0), step(), step(), calls(x)(x), looped(x)
    return found, counts, nested(x)(x), partly(x)(x)


CALLS = [
    (np.array([1.0, 2.0, 3.0]),),
    (np.array([1.0, 2.0, 1.0]),),
    (np.array([-1.0, 2.0, 3.0]),),
    (np.array([-1.0, -2.0, 3.0]),),
    (np.array([3.0, -2.0, 3.0]),),
    (np.array([0.0, 2.0, np.nan]),),
]
