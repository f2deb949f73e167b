"""A slot of a base class under a property of the same name: an instance has none of it, and the property is not asked."""

ASKED = []


class Number:
    __slots__ = ("value", "unit")

    def __init__(self, value):
        self.value = value

    def scaled(self, by):
        made = object.__new__(type(self).__mro__[-2])
        made.value = self.value * by
        return made


class Constant(Number):
    def __new__(cls, compute):
        made = object.__new__(cls)
        made.compute = compute
        made.unit = "m"
        return made

    def __init__(self, compute):
        pass

    def __eq__(self, other):
        return type(other) is Constant and (self.value, self.unit) == (other.value, other.unit)

    @property
    def value(self):
        ASKED.append(self.unit)
        return self.compute("ab")


def f(n, flag):
    del ASKED[:]
    constant = Constant(lambda digits: len(digits) + n)
    if flag:
        constant.unit = "s"
    number = constant.scaled(3)
    before = list(ASKED)
    kept = {"made": constant, "plain": Constant(len)}
    return before, kept, number.value, constant.unit


CALLS = [(1, True), (1, False), (2.5, True)]
