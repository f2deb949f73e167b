"""Methods that opaque code replaces on their class in the middle of a call: straight, in a loop, above, in a callback."""

exec(
    """def put(owner, name, value):
    setattr(owner, name, value)

def patch():
    Point.get = other

def patch_and_give(x):
    Point.get = other
    return x

def patch_computed():
    for key, value in TABLE.items():
        setattr(HELD["class"], key, value)"""
)


class Point:
    scale = 2

    def __init__(self, v):
        self.v = v

    def get(self, k=1):
        return self.v * k

    @property
    def double(self):
        return self.v * 2

    @classmethod
    def make(cls, v):
        return cls(v)

    @staticmethod
    def plain(v):
        return v


class Above(Point):
    def get(self, k=1):
        return "above", super().get(k)


def other(self, k=1):
    return "other", self.v


GET, DOUBLE, MAKE, PLAINLY = (vars(Point)[name] for name in ("get", "double", "make", "plain"))
HELD, TABLE = {"class": Point}, {"get": other}


def straight(x):
    p = Point(x)
    a = p.get(2)
    put(Point, "get", other)
    return a, p.get(2)


def in_loop(x):
    p, found = Point(x), []
    for i in range(3):
        found.append(p.get(i))
        if i == 1:
            patch()
    return found


def by_super(x):
    q = Above(x)
    put(Point, "get", other)
    return q.get(2)


def in_callback(x):
    p = Point(x)
    return list(map(patch_and_give, [x])), p.get(3)


def by_computed_name(x):
    p = Point(x)
    patch_computed()
    return p.get(3)


def through_generator(x):
    def items():
        yield Point(x).get(2)
        patch()
        yield Point(x).get(2)

    return list(items())


def descriptors(x):
    p = Point(x)
    put(Point, "double", property(lambda self: "new double"))
    put(Point, "make", classmethod(lambda cls, v: "made"))
    put(Point, "plain", staticmethod(lambda v: "plainly"))
    return p.double, Point.make(x), p.plain(x)


def restore(result):
    Point.get, Point.double, Point.make, Point.plain = GET, DOUBLE, MAKE, PLAINLY
    return result


CASES = {
    "straight": straight,
    "loop": in_loop,
    "super": by_super,
    "callback": in_callback,
    "computed": by_computed_name,
    "generator": through_generator,
    "descriptors": descriptors,
}


def f(case, x):
    return restore(CASES[case](x)), Point(x).get(2)


def noise(rng):
    return str(rng.choice(list(CASES))), int(rng.integers(0, 3))


CALLS = [(case, x) for case in CASES for x in (1, 2)]
PLAIN = "AT213"
