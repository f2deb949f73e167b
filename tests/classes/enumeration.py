"""An enumeration with methods, and flags."""

import enum


class C(enum.Enum):
    RED = 1
    BLUE = 2

    @property
    def twice(self):
        return self.value * 2

    @classmethod
    def pick(cls, n):
        return cls(n)

    def __str__(self):
        return "C:" + self.name


class F(enum.Flag):
    A = enum.auto()
    B = enum.auto()


def use(x):
    try:
        C(9)
    except ValueError as e:
        err = str(e)
    return (
        str(C.pick(1)),
        C.BLUE.twice,
        [c.name for c in C],
        C["RED"] is C.RED,
        (F.A | F.B).value,
        F.A in (F.A | F.B),
        err,
        repr(F(0)),
        f"{C.RED}",
        C.RED == 1,
        isinstance(C.RED, C),
    )
