"""Arrays made in branches, by methods and by ops, whose shapes are set in place afterwards."""

import numpy as np


def matrix(data, wide):
    made = np.array(data, dtype=float)
    shape = made.shape
    if made.ndim == 1:
        shape = (1, shape[0]) if wide else (shape[0], 1)
    elif made.ndim == 0:
        shape = (1, 1)
    return made.reshape(shape)


class System:
    def __init__(self, a, b):
        left, right = matrix(a, True), matrix(b, False)
        if left.size > 0 and right.size == 0:
            right = np.zeros((0, left.shape[1]))
        self.left, self.right = left, right
        if left.size == 0:
            left.shape = (0, 0)
            right.shape = (right.size, 1)


def f(a, b):
    system = System(a, b)
    left, right = system.left, system.right
    return left, left.shape, right.shape, left.ndim, right.sum(), left @ np.ones(left.shape[1])


CALLS = [
    (np.ones((2, 2)), np.ones(2)),
    (np.zeros((3, 0)), np.ones((2, 3))),
    (np.zeros(0), np.arange(4.0)),
    (np.ones(3), np.zeros(0)),
]
