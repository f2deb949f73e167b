"""An exception that is certain while tracing is raised where it stands, and only if the program gets there."""

import threading

import numpy as np

TABLE, LOG = {}, []
lock = threading.Lock()


def f(x, s):
    if s > 0:
        try:
            y = max(s, 1)
        except ValueError:
            y = TABLE["in a handler"]
    else:
        y = s
    try:
        last = x[5]
    except IndexError:
        try:
            last = TABLE["q"]
        except KeyError as error:
            last = f"no {error}"
    if s > 1:
        with lock, np.errstate(all="ignore"):
            LOG.append(s)
            LOG.append(TABLE["q"])
    return y, last, lock.locked()


CALLS = [(np.ones(3), 1.0), (np.ones(6), 2.0), (np.ones(3), 3.0), (np.ones(3), -1.0), (np.ones(3), 2.0)]
BEFORE = {3: "TABLE['q'] = 4.0"}
AFTER = "LOG"
