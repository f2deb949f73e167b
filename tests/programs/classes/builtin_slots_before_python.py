"""Slots written in C come before methods written in Python, where Python finds them first."""

import enum


class Length(int):
    def __len__(self):
        return 0


class Equal(float):
    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


class Reflected(int):
    def __radd__(self, other):
        return "radd"


class Shown(str):
    def __repr__(self):
        return "Shown"


class Failure(Exception):
    def __repr__(self):
        return "Failure!"


class Level(enum.IntEnum):
    LOW = 1


def truth_of(x):
    taken = 1 if x else 2
    return bool(x), taken, not x, x and "and", x or "or"


def compared(x):
    return x == 5.0, x != 5.0, 5.0 == x, 5.0 != x


def added(x):
    if isinstance(x, (str, Exception)):
        return None
    return x + x, 1 + x, 1.0 + x, x + 1


def texts(x):
    return str(x), repr(x), ascii(x), f"{x}", f"{x!r:>8}", f"{x!a}", "%s %r" % (x, x), "{}".format(x)


def f(x, n):
    print(x, [x])
    out = []
    for step in range(n):
        out.append((compared(x), added(x), texts(x), truth_of(x)))
    try:
        if n > 1:
            raise ValueError(x)
    except ValueError as error:
        out.append(str(error))
    return out


CALLS = [
    (value, n)
    for n in (0, 1, 2)
    for value in (Length(3), Length(0), Equal(1.0), Reflected(4), Shown("ab"), Failure("boom"), Level.LOW, 3)
]
