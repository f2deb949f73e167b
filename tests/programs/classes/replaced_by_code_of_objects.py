"""A method is replaced by what objects run: a special method, a manager, an iterator, a generator, a local function."""

exec(
    """class Patcher:
    def __enter__(self):
        Point.get = other
        return self

    def __exit__(self, *told):
        return None

    def __call__(self):
        Point.get = other

    def __add__(self, value):
        Point.get = other
        return value

    def __iter__(self):
        return self

    def __next__(self):
        if Point.get is other:
            raise StopIteration
        Point.get = other
        return 1

def items():
    yield 1
    Point.get = other
    yield 2

def through(function):
    return function()"""
)


class Point:
    def __init__(self, v):
        self.v = v

    def get(self):
        return self.v


def other(self):
    return "other"


GET, PATCHER = Point.get, Patcher()


def manager(p):
    with PATCHER:
        return p.get()


def called(p):
    PATCHER()
    return p.get()


def operator(p):
    before = p.get()
    return before, PATCHER + 1, p.get()


def iterator(p):
    return [(v, p.get()) for v in PATCHER], p.get()


def generator(p):
    found = []
    for v in items():
        found.append((v, p.get()))
    return found, p.get()


def local_function(p):
    def patch():
        Point.get = other

    through(patch)
    return p.get()


def restore(result):
    Point.get = GET
    return result


CASES = {
    "manager": manager,
    "called": called,
    "operator": operator,
    "iterator": iterator,
    "generator": generator,
    "local": local_function,
}


def f(case, x):
    return restore(CASES[case](Point(x))), Point(x).get()


def noise(rng):
    return str(rng.choice([*CASES])), int(rng.integers(0, 3))


CALLS = [(case, x) for case in CASES for x in (0, 1)]
PLAIN = "AT101", "AT213"
