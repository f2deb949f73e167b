"""``__setattr__`` and ``__delattr__`` see every change, for new objects and the caller's, in loops and branches."""

import numpy as np


class Logged:
    def __init__(self, value):
        super().__init__()
        object.__setattr__(self, "names", [])
        self.value = value

    def __setattr__(self, name, value):
        print("set", name)
        if value < 0:
            raise ValueError(name)
        super().__setattr__(name, value)

    def __delattr__(self, name):
        print("delete", name)
        super().__delattr__(name)


def f(given, values, flag, pair):
    made = Logged(values[0] ** 2)
    for value in values:
        try:
            given.value = value * pair[0]
        except ValueError:
            made.value = made.value + 1
        if flag:
            made.extra = given.value
    made.last = 1.0
    if made.value > 3:
        del made.last
    return made, given.value


CALLS = [
    (Logged(1.0), np.array([1.0, -1.0, 2.0]), True, (1.0, [2])),
    (Logged(2.0), np.array([2.0, 1.0]), False, (2.0, [2])),
    (Logged(2.0), np.array([-2.0]), False, (1.0, [])),
]
