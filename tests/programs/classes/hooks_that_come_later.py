"""What is not there is asked for again once a class gets a hook that gives it."""

import numpy as np


class Plain:
    pass


class Level:
    def __get__(self, owner, cls):
        return 1.0

    def __set__(self, owner, value):
        LOG.append("first")


class Gauge:
    level = Level()


LOG = []
plain, gauge = Plain(), Gauge()


def f(x):
    try:
        found = plain.late * x
    except AttributeError as error:
        found = str(error)
    gauge.level = x
    return hasattr(plain, "late"), getattr(plain, "late", 0.5) * x, found, gauge.level, Gauge.level


CALLS = [(np.float64(2.0),)] * 6
BEFORE = {
    1: "Plain.__getattr__ = lambda self, name: 5.0",
    2: "del Plain.__getattr__; Plain.late = 8.0",
    3: "Level.__set__ = lambda self, owner, value: LOG.append('second')",
    4: "Level.__get__ = lambda self, owner, cls: 3.0 if owner is None else 4.0",
    5: "del Level.__set__, Plain.late",
}
AFTER = "LOG, vars(gauge)"
