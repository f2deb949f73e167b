"""A constant of a function is one object, at each call and wherever the function says the same."""

KEPT = []


def literal():
    return "with a space", 123456, 1.25, b"a b"


def f(x):
    KEPT.append(literal())
    if x > 1:
        KEPT.append("with a space")
    for _ in range(x):
        KEPT.append(123456)
    return [[one is two for one, two in zip(first, KEPT[0])] for first in KEPT if type(first) is tuple]


CALLS = [(0,), (2,), (3,)]
AFTER = "[one is KEPT[0][0] for one in KEPT]"


def noise(rng):
    return (int(rng.integers(0, 4)),)
