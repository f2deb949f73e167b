"""A copy of an exception whose class says how it is made again."""

import copy


class E(Exception):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b

    def __reduce__(self):
        return E, (self.args[0], self.b)


def f(x):
    try:
        raise E(1, 2)
    except E as e:
        c = copy.copy(e)
        return c.args, c.b


CALLS = [(1,), (0,), (True,)]
