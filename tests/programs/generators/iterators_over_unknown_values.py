"""Iterators over values of which nothing is known: what can't be walked raises where they are made, walked or not."""

SEEN = []

exec("def unknown(x):\n    return x")  # made by `exec`: it is not traced


class Sequence:
    def __getitem__(self, i):
        SEEN.append(i)
        if i > 2:
            raise IndexError(i)
        return i

    def __len__(self):
        SEEN.append("len")
        return 3


class Walked:
    def __iter__(self):
        SEEN.append("iter")
        return iter("ab")


MAKERS = {
    "reversed": lambda y: reversed(y),
    "enumerate": lambda y: enumerate(y),
    "zip": lambda y: zip(y),
    "zip second": lambda y: zip([1], y),
    "map": lambda y: map(str, y),
    "map second": lambda y: map(max, [1], y),
    "filter": lambda y: filter(None, y),
    "expression": lambda y: (str(item) for item in y),
    "iter": lambda y: iter(y),
}


def made(maker, x):
    try:
        found = MAKERS[maker](unknown(x))
    except TypeError as error:
        return "made", str(error)
    SEEN.append("made")
    try:
        return [str(item) for item in found]
    except TypeError as error:
        return "walked", str(error)


def unused(maker, x):
    try:
        return MAKERS[maker](unknown(x)) is None
    except TypeError as error:
        return str(error)


def grown(x):
    y = unknown(x)
    if not isinstance(y, list):
        return None
    found = [enumerate(y), zip(y, y)]
    backwards = reversed(y)
    y.append(5)
    return [list(one) for one in found], list(backwards)


def chosen(x):
    y = [1, 2] if x > 0 else x
    try:
        found = enumerate(y)
    except TypeError as error:
        return str(error)
    return [i for i, _ in found]


def stopped(x):
    total = []
    try:
        for i, item in enumerate(unknown(x)):
            if i == 1:
                break
            total.append(item)
        else:
            total.append("end")
    except TypeError as error:
        total.append(str(error))
    return total


def f(x):
    found = [(made(maker, x), unused(maker, x)) for maker in MAKERS]
    counts = len(SEEN), SEEN[:40]
    SEEN.clear()
    if isinstance(x, int | float):
        return found, counts, chosen(x)
    return found, counts, stopped(x), grown(x)


def noise(rng):
    return ([None, 1, 2.5, -1, [1, 2], Sequence(), Walked()][rng.integers(7)],)


CALLS = [(x,) for x in (1, [1, 2], Sequence(), Walked(), None, -0.5, 0.5, -1, [], [3])]
PLAIN = "AT101"
