"""A generator that may run code of the program's at each item is used up by a function that is written in C."""

from math import fsum, prod

import numpy as np


class Place:
    def __init__(self, index):
        self.index = index
        self.asked = 0

    def __index__(self):
        self.asked += 1
        return self.index


def sizes(x):
    return x.shape


def f(x, axes):
    try:
        places = list(axes)
    except TypeError:
        places = [axes]
    size = prod(sizes(x)[i] for i in places)
    return size, fsum(sizes(x)[i] / 2 for i in places)


X = np.ones((2, 3, 4))
CALLS = [(X, 1), (X, [0, 2]), (X, (Place(1), 0)), (X, [5]), (X, 1.5), (X, [])]
