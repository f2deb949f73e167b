"""A class's attribute, read through instances, subclasses and ``super()``, written through the class in between."""

import numpy as np


class Base:
    n = 1.0
    k = 3.0

    def scaled(self, x):
        return x * self.n


class Derived(Base):
    n = 2.0

    def above(self):
        return super().n, super().k


def other(self, x):
    return x + self.n


b, base = Derived(), Base()
plain = Base.scaled


def f(x, turns):
    seen = [b.n, base.n, Derived.k, b.above()]
    Base.k = Base.k + x
    seen += [Derived.k, b.k, b.above()]
    Derived.n = x
    seen += [b.n, Base().n]
    del Derived.n
    seen += [b.n, Derived.n, b.above()]
    for _ in range(turns):
        x = base.scaled(x)
        Base.scaled = other
    Base.scaled = plain
    cls = Base if x > 2 else Derived
    cls.n = 7.0
    return seen, x, b.n, base.n


CALLS = [(np.float64(2.0), 2), (np.float64(2.0), 0), (np.float64(1.0), 3), (np.float64(1.0), 3)]
BEFORE = {1: "Derived.n = 4.0", 2: "b.k = 9.0; Derived.n = 1.0", 3: "base.n = 11.0; Base.n = 2.0; Derived.n = 3.0"}
AFTER = "Base.n, Derived.n, Base.k"


def noise(rng):
    return np.float64(rng.choice([1.0, 3.0])), int(rng.integers(0, 4))
