"""A scalar of NumPy's beside an object that has reflected operators and can be made an array: NumPy's operator decides."""

import numpy as np


class Reflected:
    def __radd__(self, other):
        return "radd"

    def __rmul__(self, other):
        return "rmul"

    def __rpow__(self, other):
        return "rpow"

    def __rdivmod__(self, other):
        return "rdivmod"

    def __gt__(self, other):
        return "gt"

    def __eq__(self, other):
        return "eq"

    def __rand__(self, other):
        return "rand"


class Sized(Reflected):
    def __len__(self):
        return 2

    def __getitem__(self, place):
        if place > 1:
            raise IndexError(place)
        return place + 1


class Arrayed(Reflected):
    def __array__(self, dtype=None, copy=None):
        return np.asarray([3, 4], dtype)


class First(Arrayed):
    __array_priority__ = 5


class Alone(Arrayed):
    __array_ufunc__ = None


def operators(x, other):
    found = [x + other, x * other, x < other, x == other, x**other]
    for name, ask in (("divmod", lambda: divmod(x, other)), ("and", lambda: x & other)):
        try:
            found.append(ask())
        except TypeError as error:
            found.append((name, type(error).__name__))
    return found


def f(x, many):
    found = [operators(x, other) for other in (Reflected(), Sized(), Arrayed(), First(), Alone())]
    total = x
    for _ in range(many):
        total = total + Sized()
    y = x
    y += Arrayed() if many else Reflected()
    return found, total, y


CALLS = [
    (np.float64(2.0), 0),
    (np.float64(2.5), 2),
    (np.complex128(1 + 2j), 1),
    (np.float32(2.0), 1),
    (np.int64(3), 2),
    (np.bool_(True), 0),
    (2.5, 0),
]
