"""Calls of builtins that Python refuses, and keywords that it takes."""

import functools
import operator


def asked(action):
    try:
        return action()
    except TypeError as error:
        return str(error)


def f(x, n):
    out = []
    for turn in range(n):
        out += [
            asked(lambda: bool(x, 2)),
            asked(lambda: bool(x=10)),
            asked(lambda: str(object=x)),
            asked(lambda: set(iterable=[x])),
            asked(lambda: frozenset([x], default=1)),
            asked(lambda: list(iterable=[x])),
            asked(lambda: int(x=x)),
            asked(lambda: type(x, y=1)),
            asked(lambda: zip([x], other=1)),
            asked(lambda: dict([x], 1)),
            asked(lambda: sorted(iterable=[x])),
            asked(lambda: list(enumerate(iterable=[x, x], start=3))),
            asked(lambda: round(number=x, ndigits=1)),
            asked(lambda: pow(base=x, exp=2)),
            asked(lambda: [x].append({}, a=1)),
            asked(lambda: (True).bit_length(x)),
            asked(lambda: operator.floordiv(x)),
            asked(lambda: operator.is_(x, x, x)),
            asked(lambda: operator.not_()),
            asked(lambda: operator.iadd(x, y=1)),
            asked(lambda: functools.reduce(1, 2, 3)),
            asked(lambda: tuple()),
        ]
    return out


CALLS = [(2, 0), (2, 1), (2.5, 1), ("3", 1), ([1], 2)]
PLAIN = "AT202"
