"""An `__iter__` without source gives an iterator that has `__next__` alone: it can be walked by nobody but Python."""

PLAIN = ("AT101",)


class Bare:
    def __init__(self, n):
        self.at, self.n = 0, n

    def __next__(self):
        self.at += 1
        if self.at > self.n:
            raise StopIteration
        return self.at


exec("def opened(self):\n    self.opened += 1\n    return Bare(self.n)")


class Shelf:
    def __init__(self, n):
        self.n, self.opened = n, 0

    __iter__ = opened  # noqa: F821


def pair(shelf):
    try:
        a, b = shelf
    except ValueError as error:
        return str(error)
    return b, a


def f(shelf, x):
    total = x
    for item in shelf:
        total = total + item
    return total, pair(shelf), [*shelf], sum(shelf), max(*shelf, 0), sorted(shelf), list(zip(shelf, "ab")), shelf.opened


CALLS = [(Shelf(2), 1.0), (Shelf(0), 1.0), (Shelf(3), 2.0)]
