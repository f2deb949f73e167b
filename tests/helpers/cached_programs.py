"""Classes with cached properties: what these compute goes into the `__dict__` of the instance, and no `__setattr__` or `__set__` sees it."""

import dataclasses
import functools

LOG = []


class Refusing(functools.cached_property):
    """Can't be assigned to; it keeps its value all the same."""

    def __set__(self, instance, value):
        raise AttributeError("can't be set")


class Logged:
    def __init__(self, x):
        self.x = x

    def __setattr__(self, name, value):
        LOG.append(name)
        object.__setattr__(self, name, value)

    @functools.cached_property
    def size(self):
        LOG.append("computed")
        return self.x * 2


class Refused:
    def __init__(self, x):
        self.x = x

    @Refusing
    def size(self):
        LOG.append("computed")
        return self.x * 2


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: object

    @functools.cached_property
    def size(self):
        return self.x * 2


class Nowhere:
    """Has no `__dict__`."""

    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x

    @functools.cached_property
    def size(self):
        return self.x * 2


class Renamed:
    def __init__(self, x):
        self.x = x

    @functools.cached_property
    def size(self):
        return self.x * 2


Renamed.width = Renamed.__dict__["size"]


def read(one):
    return one.width if hasattr(one, "width") else one.size


def f(one, x, made):
    LOG.clear()
    if made:
        one = type(one)(x)
    total = 0
    try:
        for i in range(3):
            total = total + read(one) * i
        if x[0] > 0:
            total = total + one.size
        return total, one.size, getattr(one, "__dict__", None), LOG[:]
    except TypeError as error:
        return str(error), LOG[:]


def kept(cls, x):
    """An instance that holds a value already."""
    one = cls(x)
    one.__dict__["size"] = x + 5
    return one


MAKERS = (
    *(Logged, Refused, Frozen, Renamed, Nowhere),
    *(functools.partial(kept, cls) for cls in (Logged, Refused, Frozen, Renamed)),
)
"""Instances of each class, and some that hold a value already."""
