"""A generator, an iterator or a sequence of the user's runs its code at each item, and what that changes is read anew."""

N = 0


def counted(k):
    global N
    for i in range(k):
        N += 1
        yield i


class Sequence:
    def __init__(self, k):
        self.k = k

    def __getitem__(self, i):
        global N
        N += 1
        if i >= self.k:
            raise IndexError(i)
        return i


class Walked:
    def __init__(self, k):
        self.k = k

    def __iter__(self):
        global N
        N += 10
        return iter(range(self.k))


def looped(items):
    out = []
    for item in items:
        out.append((item, N))
    return out, N


def in_pairs(items, k):
    out = []
    for i, item in enumerate(items):
        out.append((i, item, N))
    return out, N


def taken(items, k):
    before = N
    found = next(items, None)
    return found, N - before


def listed(items):
    before = N
    found = list(items)
    return found, N - before


def chosen(one, other, k):
    before = N
    items = one if k > 1 else other
    return [item for item in items], list(items), N - before


class Given:
    """What a call is given; a copy of it has a generator of its own."""

    def __init__(self, k):
        self.k, self.items, self.sequence, self.walked = k, counted(k), Sequence(k), Walked(k)

    def __deepcopy__(self, memo):
        return Given(self.k)


def f(given):
    k, walked = given.k, given.walked
    first = taken(given.items, k)
    rest = in_pairs(given.items, k)
    found = looped(given.sequence), listed(walked), listed(given.sequence)
    return first, rest, found, chosen(walked, Walked(k), k)


CALLS = [(Given(0),), (Given(1),), (Given(3),)]
AFTER = "N"


def noise(rng):
    return (Given(int(rng.integers(0, 4))),)
