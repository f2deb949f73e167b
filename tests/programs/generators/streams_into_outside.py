"""A list or a set from outside is filled by a generator that looks at it, or that fails half way."""

import numpy as np

LOG, SEEN = [0.0], {1}


def counted(n, limit):
    for i in range(n):
        LOG.append(-len(LOG))
        if i > limit:
            raise ValueError("too many")
        yield i * 1.5


def f(x, n):
    global LOG
    LOG.extend(value * x for value in counted(n, 9))
    LOG += (value + x for value in range(n))
    SEEN.update(int(value) for value in counted(n, 9))
    try:
        LOG.extend(counted(n, 1))
    except ValueError as error:
        LOG.append(str(error))
    first, *rest = LOG
    return first, len(rest), rest[-2:], LOG[1:3], list(SEEN)


CALLS = [(np.float64(2.0), 0), (np.float64(2.0), 2), (np.float64(0.5), 4)]
AFTER = "LOG, SEEN"
