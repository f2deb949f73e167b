"""An attribute that is set on an instance shadows a method: in opaque code, on an object that was given away, by its ``__dict__``."""

exec(
    """def put(owner, name, value):
    setattr(owner, name, value)

def keep(owner):
    pass

def shadow(owner):
    owner.get = own

def change_class(owner):
    owner.__class__ = Other"""
)


class Point:
    def __init__(self, v):
        self.v = v

    def get(self, k=1):
        return self.v * k


class Other(Point):
    def get(self, k=1):
        return "other", k


def own(k=1):
    return "own", k


def of_argument(p):
    put(p, "get", own)
    found = p.get(3)
    del p.get
    return found, p.get(3)


def of_one_made_here(x):
    p = Point(x)
    put(p, "get", own)
    return p.get(3)


def of_one_given_away(x):
    p = Point(x)
    keep(p)
    p.get = own
    return p.get(3)


def by_name(x):
    p = Point(x)
    shadow(p)
    return p.get(3)


def by_namespace(x):
    p = Point(x)
    vars(p).update(get=own)
    return p.get(3)


def by_class(x):
    p = Point(x)
    before = p.get(2), isinstance(p, Other)
    change_class(p)
    return before, p.get(2), isinstance(p, Other), type(p) is Other


def by_class_here(x):
    p = Point(x)
    keep(p)
    p.__class__ = Other
    return p.get(2), type(p).__name__


def one_of_several(x):
    points = [Point(x), Point(x + 1), Point(x + 2)]
    found = []
    for p in points:
        keep(p)
        if p.v > 2:
            p.get = own
        found.append(p.get(2))
    return found


CASES = {
    "made here": of_one_made_here,
    "given away": of_one_given_away,
    "name": by_name,
    "namespace": by_namespace,
    "class": by_class,
    "class set here": by_class_here,
    "several": one_of_several,
}


def f(case, x, p):
    return of_argument(p) if case == "argument" else CASES[case](x)


def noise(rng):
    return str(rng.choice([*CASES, "argument"])), int(rng.integers(0, 3)), Point(2)


CALLS = [(case, x, Point(2)) for case in (*CASES, "argument") for x in (1, 2)]
PLAIN = "AT101", "AT213"
