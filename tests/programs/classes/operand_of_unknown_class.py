"""An operator asks the left operand first, also where only the running program knows what that is."""

import copy


class Unit:
    """Declines what it does not know; its reflected method gives something else."""

    def __init__(self, size):
        self.size = size

    def __sub__(self, other):
        return Unit(self.size - other.size) if isinstance(other, Unit) else NotImplemented

    def __rsub__(self, other):
        return Unit(-100.0)


class Plain(Unit):
    """Its methods run as they are: `locals` is not rewritten."""

    def __add__(self, other):
        return Unit(len(locals())) if isinstance(other, Unit) else NotImplemented

    def __radd__(self, other):
        return Unit(10.0 + len(locals()))


class Odd:
    def __radd__(self, other):
        return Unit(7.0)


UNIT = Unit(3.0)


def f(unit, plain, x):
    known = copy.copy(UNIT) - unit
    other = 2.0 - unit
    return known.size, other.size, (plain + plain).size, (plain + Odd()).size, (x + plain).size, x * 2


CALLS = [(Unit(1.0), Plain(2.0), 3.0)]
