"""Instances made here whose class says itself what their class is: nothing of that runs before the program asks."""

ASKED = []


class Disguised:
    def ask(self):
        ASKED.append("class")
        return int

    __class__ = property(ask)


class Refusing:
    def ask(self):
        raise RuntimeError("not today")

    __class__ = property(ask)


def f(x):
    disguised, refusing = Disguised(), Refusing()
    found = isinstance(disguised, int), isinstance(disguised, Disguised), isinstance(refusing, Refusing)
    try:
        return found, isinstance(refusing, bool) if x > 0 else None
    except RuntimeError as error:
        return found, str(error)


CALLS = [(1.0,), (-1.0,)]
AFTER = "ASKED"
PLAIN = "AT204"
