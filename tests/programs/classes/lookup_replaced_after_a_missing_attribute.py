"""A class gets a `__getattribute__`, a `__getattr__` or loses them, after an attribute was found to be missing."""


class Box:
    def __init__(self):
        self.held = 1


class Deep(Box):
    pass


box = Box()
deep = Deep()


def f(x):
    told = [getattr(box, "extra", "none"), hasattr(box, "extra"), getattr(box, "held", x)]
    told += [getattr(deep, "extra", "none"), hasattr(deep, "extra"), hasattr(deep, "held")]
    if hasattr(deep, "extra"):
        told.append(deep.extra)
    return told


PLAIN = "AT204"
CALLS = [(1,), (2,), (2.5,), (3,), (4,), (5,)]
BEFORE = {
    1: "Box.__getattribute__ = lambda self, name: 'any ' + name",
    3: "del Box.__getattribute__",
    4: "Deep.__getattribute__ = lambda self, name: object.__getattribute__(self, 'held')",
    5: "del Deep.__getattribute__; Box.__getattr__ = lambda self, name: 'last ' + name",
}
