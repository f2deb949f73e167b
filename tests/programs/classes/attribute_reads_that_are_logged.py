"""Subclasses of builtins whose every attribute read is noticed: nothing but the program reads any."""

PLAIN = "AT204"
LOG = []


class Watched:
    def __getattribute__(self, name):
        LOG.append(name)
        return super().__getattribute__(name)


class Count(Watched, int):
    pass


class Text(Watched, str):
    pass


class Share(Watched, float):
    pass


class Items(Watched, list):
    pass


def used(value):
    found = [str(value), isinstance(value, (str, list)), type(value).__name__, value == value, bool(value)]
    return found, value.__class__ is Text


def f(x, y):
    found = used(x), used(y), LOG[:]
    LOG.clear()
    return found


CALLS = [(Count(3), Text("a")), (Share(0.5), Items([1])), (Text(""), Count(0)), (Items(), Share(1))]
