"""One branch of a loop's body sets an attribute of an unknown object, the other one of a known object."""

import numpy as np


class Box:
    def __init__(self, v):
        self.v = v


box = Box(np.ones(3))


def f(x, marks):
    for i in range(len(marks)):
        if marks[i] > 0:
            x.flags.writeable = False
        else:
            box.v -= 1
            box.v = box.v * 2
    return x, box.v, x.flags.writeable


CALLS = [(np.arange(3.0), np.array([0, 1, 0])), (np.arange(3.0), np.zeros(2)), (np.arange(3.0), np.zeros(0))]
AFTER = "box.v"


def noise(rng):
    return rng.normal(size=3), rng.integers(0, 2, size=3)
