"""Special methods set on a class in the middle of a call decide how it is made, told from others, and if it is true."""

exec("def truth_in_opaque_code():\n    Point.__bool__ = lambda self: False")


class Point:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return self.v == other.v

    def __hash__(self):
        return 1


def making(x):
    def start(self, v):
        self.v = "started"

    old = Point.__init__
    Point.__init__ = start
    found = Point(x).v
    Point.__init__ = old
    return found, Point(x).v


def in_loop(x):
    p = Point(x)
    found = []
    for i in range(3):
        found.append(1 if p else 2)
        if i == 1:
            truth_in_opaque_code()
    del Point.__bool__
    return found


def new_instance(x):
    def give(cls, v):
        return "given"

    Point.__new__ = give
    found = Point(x)
    Point.__new__ = plain_new
    return found, Point(x).v


def plain_new(cls, *args):
    return object.__new__(cls)


def hashes(x):
    p = Point(x)
    Point.__hash__ = lambda self: 7
    found = hash(p), p in {7: 1}
    Point.__hash__ = HASH
    return found, hash(p)


def bases(x):
    Above.__bases__ = (Base,)
    found = Above(x).who(), isinstance(Above(x), Base)
    Above.__bases__ = (Point,)
    return found, isinstance(Above(x), Base)


class Base(Point):
    def who(self):
        return "base"


class Above(Point):
    pass


HASH = Point.__hash__
CASES = {"making": making, "loop": in_loop, "new": new_instance, "hashes": hashes, "bases": bases}


def f(case, x):
    return CASES[case](x)


def noise(rng):
    return str(rng.choice([*CASES])), int(rng.integers(0, 3))


CALLS = [(case, x) for case in CASES for x in (1, 0)]
PLAIN = "AT213"
