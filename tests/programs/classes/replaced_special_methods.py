"""Special methods that are set on a class in the middle of a call, by the function itself and by opaque code."""

exec(
    """def put(owner, name, value):
    setattr(owner, name, value)"""
)


class Point:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return "old", self.v

    def __getitem__(self, key):
        return "old", key


def no(self):
    return False


def zero(self):
    return 0


def new(self, *args):
    return "new"


def truth(p):
    before = 1 if p else 2
    Point.__bool__ = no
    after = 1 if p else 2
    del Point.__bool__
    return before, after, bool(p)


def length(p):
    put(Point, "__len__", zero)
    found = bool(p), not p, len(p)
    del Point.__len__
    return found


def operators(p):
    before = p + 1, p[0]
    put(Point, "__add__", new)
    put(Point, "__getitem__", new)
    put(Point, "__radd__", new)
    after = p + 1, p[0], 1 + p
    del Point.__radd__
    return before, after


def texts(p):
    Point.__str__ = new
    Point.__format__ = new
    found = str(p), f"{p}"
    del Point.__str__, Point.__format__
    return found


def attributes(p):
    put(Point, "__getattr__", new)
    found = p.missing, hasattr(p, "other")
    del Point.__getattr__
    return found, hasattr(p, "other")


def calls(p):
    Point.__call__ = new
    found = p(), callable(p)
    del Point.__call__
    return found, callable(p)


def comparison(p):
    put(Point, "__eq__", new)
    found = p == 1, p != 1
    del Point.__eq__
    return found, p == 1


def restore(result):
    Point.__add__, Point.__getitem__ = ADD, ITEM
    return result


ADD, ITEM = Point.__add__, Point.__getitem__


CASES = {
    "truth": truth,
    "length": length,
    "operators": operators,
    "texts": texts,
    "attributes": attributes,
    "calls": calls,
    "comparison": comparison,
}


def f(case, x):
    return restore(CASES[case](Point(x)))


def noise(rng):
    return str(rng.choice([*CASES])), int(rng.integers(0, 3))


CALLS = [(case, x) for case in CASES for x in (0, 1)]
PLAIN = "AT101", "AT213"
