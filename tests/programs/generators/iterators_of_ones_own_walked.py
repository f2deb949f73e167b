"""Loops over iterators of a class of one's own: each item is asked for when its turn comes, and what that changes is read anew."""

ASKED = []


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        ASKED.append(self.n)
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


class Bare:
    """What only has items: it can't be walked itself."""

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


class Failing(Countdown):
    def __next__(self):
        found = super().__next__()
        if found == 1:
            raise ValueError(f"at {found}")
        return found


class Chosen:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter([self.n, self.n + 1]) if self.n % 2 else Countdown(self.n)


def summed(items, x):
    total = x
    for item in items:
        total = total + item * x
    return total


def left(items, stop):
    seen = []
    for item in items:
        if item == stop:
            break
        if item % 2:
            continue
        seen.append(item)
    else:
        seen.append("end")
    return seen, list(items)


def returned(items, x):
    for item in items:
        if item < x:
            return item, items.n
    return None


def counted(shelf):
    found = []
    for item in shelf:
        found.append((item, shelf.taken))
        shelf.n -= item == 1
    return found, shelf.opened, shelf.n


def in_step(items):
    return [(item, next(items, None), items.n) for item in items]


def nested(n):
    shelf = Shelf(n)
    return [(a, b) for a in shelf for b in shelf if a != b], shelf.opened, shelf.taken


def failing(n, x):
    seen = []
    try:
        for item in Failing(n):
            seen.append(item * x)
    except ValueError as error:
        seen.append(str(error))
    return seen


def handed_on(n):
    def items():
        for item in Countdown(n):
            yield item
            yield ASKED[-1]

    return list(items())


def behind_test(n, x):
    items = Countdown(n)
    if x > 0:
        for item in items:
            x = x - item
    while items.n < 2 and x < 50:
        for item in Shelf(2):
            x = x + item + 1
    return x, items.n


def either(n):
    return [item for item in Chosen(n)]


def f(n, x, given):
    ASKED.clear()
    results = [
        summed(Countdown(n), x),
        summed(given, x),
        left(Countdown(n), 1),
        returned(Countdown(n), x),
        counted(Shelf(n)),
        in_step(Countdown(n)),
        nested(n),
        failing(n, x),
        handed_on(n),
        behind_test(n, x),
        either(n),
    ]
    return results, list(ASKED)


CALLS = [(0, 0.5, Countdown(3)), (1, 1, Shelf(2)), (4, 2, Countdown(0)), (3, -1.5, Chosen(2))]
AFTER = "ASKED"
