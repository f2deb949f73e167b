"""What a `cached_property` computes is kept by objects that can't be assigned to."""

import dataclasses
import functools

import numpy as np


class Refusing(functools.cached_property):
    """Can't be assigned to; it keeps its value all the same."""

    def __set__(self, instance, value):
        raise AttributeError("can't be set")


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: object

    @functools.cached_property
    def size(self):
        print("computed")
        return self.x * 2

    @Refusing
    def width(self):
        print("computed")
        return self.x + 1


def f(one, x):
    other = Frozen(x)
    total = one.size + one.width
    for i in range(3):
        total = total + one.width * i
    if x[0] > 0:
        total = total + other.size * other.width
    return total, one.size, one.__dict__, other


CALLS = [(Frozen(np.arange(3.0)), x) for x in (np.arange(3.0), np.ones(3), np.zeros(3))]
