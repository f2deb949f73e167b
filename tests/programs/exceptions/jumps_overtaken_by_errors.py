"""An exception that a ``finally`` or the end of a ``with`` raises takes the place of the jump that was on its way."""

import numpy as np


class Closing:
    def __init__(self, error):
        self.error = error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.error:
            raise ValueError("closed")


def returned(x, fails):
    try:
        try:
            return x, 1
        finally:
            if fails:
                raise ValueError(x)
    except ValueError:
        x = x + 3.0
    else:
        x = x + 4.0
    return x, 2


def returned_from_with(x, fails):
    try:
        with Closing(fails):
            if x > 0:
                return x, 1
        x = x - 1.0
    except ValueError:
        x = x + 3.0
    return x, 2


def left_a_loop(x, fails):
    total = 0.0
    for i in range(4):
        try:
            try:
                if i == 1 or x < 0:
                    break
                if x < 1:
                    continue
                total = total + x
            finally:
                if fails and i < 2:
                    raise ValueError(i)
        except ValueError:
            total = total + 10.0
        total = total - i
    return total, i


def returned_from_a_loop(x, fails):
    for i in range(3):
        try:
            for _ in range(2):
                try:
                    if x > 0:
                        return x, i
                finally:
                    if fails and i < 2:
                        raise ValueError(i)
        except ValueError:
            x = x + i
    return x, 7


def f(x, fails):
    ways = (returned, returned_from_with, left_a_loop, returned_from_a_loop)
    return [way(x, fails) for way in ways]


CALLS = [
    (1.5, True),
    (1.5, False),
    (np.float64(-0.5), True),
    (np.float64(0.5), True),
    (np.float64(0.5), False),
    (np.float64(-0.5), False),
]
