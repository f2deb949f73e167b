"""A test with ``and`` or ``or`` whose outcome follows from its known parts needs no branch, whatever the others are."""

import numpy as np

asked = []


def options(**given):
    return tuple(sorted(given.items()))


def noticed(value):
    asked.append(value)
    return value


def taken(static, keywords):
    """The keywords stay known, though ``static`` is data."""
    if static and "dt" not in keywords and "name" not in keywords:
        step = None
    elif "dt" in keywords:
        step = keywords.pop("dt")
    else:
        step = 0
    if not (static or "dt" not in keywords):
        keywords.pop("rest")
    return step, options(**keywords)


def known(x):
    static = bool(x[0] > 1)
    first = taken(static, {"dt": 3, "rest": 4})
    second = taken(x[0] > 2, {"name": 3, "rest": x})
    value, other = static and False, x[1] > 0 or True
    kept = (value, type(value), other, type(other), (x[0] > 1) and False, (x[1] or 3) or True)
    # what is asked on the way happens where it did
    if static and noticed(x[1]) and False:
        asked.append("never")
    if static and x[1] and noticed(1) and None:
        asked.append("never")
    if (x[1] or noticed(2)) and (static or True):
        asked.append(x[0])
    return first, second, kept


def unknown(x, flag):
    """Truths that may change, or that are not known, are asked."""
    held = [x[0]]
    part = held and x.any() and False
    if part:
        return 1
    one = x[:1]
    told = one.all() and flag
    one[0] = 1.0
    if told:
        return 2
    return 3 if (x[1] > 0 or flag) else 4


def f(x, flag):
    return known(x), unknown(x.copy(), flag), list(map(str, asked))


CALLS = [
    (np.array([0.5, 1.0]), False),
    (np.array([1.5, 0.0]), False),
    (np.array([2.5, -1.0]), True),
    (np.array([2.5, 0.0]), True),
    (np.array([0.0, 0.0]), 0),
]
AFTER = "asked"
