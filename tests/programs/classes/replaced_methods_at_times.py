"""Methods that opaque code may have replaced on their class: in a branch, in a handler, by way of an argument."""

exec(
    """def put(owner, name, value):
    setattr(owner, name, value)

def patch():
    Point.get = other"""
)


class Point:
    scale = 2

    def __init__(self, v):
        self.v = v

    def get(self, k=1):
        return self.v * k


class Above(Point):
    def get(self, k=1):
        return "above", super().get(k)


def other(self, k=1):
    return "other", self.v


GET = Point.get


def in_branch(x):
    p = Point(x)
    if x > 1:
        patch()
    return p.get(4)


def in_handler(x):
    p = Point(x)
    try:
        raise ValueError(x)
    except ValueError:
        patch()
    return p.get(5)


def of_argument(p):
    put(Point, "get", other)
    return p.get(2)


def restore(result):
    Point.get = GET
    return result


CASES = {"branch": in_branch, "handler": in_handler}


def f(case, x, p):
    if case == "argument":
        return restore(of_argument(p)), p.get(2)
    return restore(CASES[case](x)), p.get(2)


def noise(rng):
    return str(rng.choice([*CASES, "argument"])), int(rng.integers(0, 3)), Point(2)


CALLS = [(case, x, Point(2)) for case in (*CASES, "argument") for x in (1, 2)] + [("argument", 1, Above(2))]
PLAIN = "AT101", "AT213"
