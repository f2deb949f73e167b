"""A star in the subscript of a class, of what only the running program knows."""

import typing


def f(n):
    shape = typing.TypeVarTuple("shape")
    return tuple[*shape].__args__ == (*shape,), [tuple[*shape].__args__ == (*shape,) for _ in range(n)]


CALLS = [(0,), (2,)]
