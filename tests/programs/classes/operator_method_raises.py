"""A special method that raises in a branch: what it did before stays done, and the exception leaves."""

import numpy as np

LOG = []


class Moody:
    def __init__(self, angry):
        self.angry = angry

    def __mul__(self, other):
        LOG.append("mul")
        if self.angry:
            raise KeyError("angry")
        return other


def f(m, x):
    return m * x if x > 0 else x


CALLS = [(Moody(True), 2.0), (Moody(True), -2.0), (Moody(False), np.float64(2.0)), (Moody(True), np.float64(3.0))]
AFTER = "LOG"
