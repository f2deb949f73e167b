"""An iterator that has ``__next__`` alone is walked by loops, and taken apart; it can't be walked itself."""


class Bare:
    def __init__(self, owner):
        self.owner, self.at = owner, 0

    def __next__(self):
        self.at += 1
        self.owner.taken += 1
        if self.at > self.owner.n:
            raise StopIteration(self.at)
        return self.at


class Shelf:
    def __init__(self, n):
        self.n, self.taken, self.opened = n, 0, 0

    def __iter__(self):
        self.opened += 1
        return Bare(self)


def displayed(n):
    return [*Shelf(n), n], {*Shelf(n)}, {item: item * 2 for item in Shelf(n)}, max(*Shelf(n), 7, 8)


def unpacked(n):
    try:
        a, b, *rest = Shelf(n)
    except (TypeError, ValueError) as error:
        return str(error)
    return a, b, rest


def last(n):
    try:
        *rest, a = Shelf(n)
    except (TypeError, ValueError) as error:
        return str(error)
    return rest, a


def exactly(shelf):
    try:
        a, b = shelf
    except ValueError as error:
        return str(error), shelf.taken
    return a, b, shelf.taken


def refused(n):
    try:
        for _ in Bare(Shelf(n)):
            pass
    except TypeError as error:
        return str(error)


def f(n, shelf):
    before = shelf.taken
    found = displayed(n), unpacked(n), last(n), exactly(Shelf(n)), refused(n)
    return found, exactly(shelf), shelf.taken - before, [item for item in shelf], sum(shelf)


CALLS = [(0, Shelf(2)), (1, Shelf(0)), (2, Shelf(3)), (4, Shelf(2))]
