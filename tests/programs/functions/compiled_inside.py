"""Functions defined inside are decorated with `astrace.compile`: as any other decorator, it is called each time."""

import astrace


def simple(x):
    @astrace.compile
    def double(v):
        return v * 2

    return double(x)


def generator(x):
    @astrace.compile
    def count():
        yield 1
        if x > 1:
            raise StopIteration("end")
        yield 2

    try:
        return list(count())
    except RuntimeError as error:
        return str(error), repr(error.__cause__)


class Cell:
    def __init__(self, v):
        self.v, self.back = v, None

    def __add__(self, other):
        out = Cell(self.v + other.v)

        @astrace.compile
        def back():
            self.v += out.v
            return other.v

        out.back = back
        return out


def kept(x):
    a, b = Cell(x), Cell(2)
    c = a + b
    return c.back(), a.v, c.back.__name__


def f(x):
    return simple(x), generator(x), kept(x)


CALLS = [(1,), (2,), (2.5,)]
