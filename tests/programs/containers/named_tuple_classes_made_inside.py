"""A class that ``namedtuple`` makes is new at each call, tells the module it was made in, and can be changed."""

from collections import namedtuple


def f(names, n):
    Point = namedtuple("Point", names, defaults=(7,))
    Point.__doc__ = "a point"
    point = Point(*range(n))
    Other = namedtuple("Other", [c + "1" for c in "ab"], rename=True, module="elsewhere")
    return (
        list(point),
        Point._fields,
        Point.__doc__,
        Point.__module__ == __name__,
        point._replace(**{Point._fields[0]: 5})._asdict(),
        Other.__module__,
        namedtuple("Third", names).__doc__,
    )


CALLS = [("a b", 1), ("a b", 2), (("u", "v", "w"), 3)]


def noise(rng):
    return "a b", int(rng.integers(1, 3))
