"""Named tuples with methods, operators and a `__new__`."""

import collections
import typing


class T(typing.NamedTuple):
    a: int
    b: int = 4

    def total(self):
        return self.a + self.b


class S(collections.namedtuple("S", "p q")):
    __slots__ = ()

    def __new__(cls, p):
        return super().__new__(cls, p, p * 2)

    def __add__(self, o):
        return S(self.p + o.p)


def use(x):
    t = T(x)
    s = S(x) + S(1)
    return (
        t.total(),
        t._replace(a=9).total(),
        t == (x, 4),
        s,
        s.q,
        len(s),
        [*s],
        t._asdict(),
        isinstance(s, tuple),
        repr(s),
    )
