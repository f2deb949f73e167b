"""Two equal arguments stay two, whichever of them a branch or a loop leads to."""


class State:
    turns = 3


exec("def opaque(*values):\n    return values")


def chosen(a, b):
    w = b if State.turns > 2 else a
    v = a
    if State.turns > 1:
        v = b
    return w, v, w is a, w is b, a is b, v is w


def carried(a, b):
    w, u = a, a
    for index in range(State.turns):
        if index == 1:
            w = b
    while State.turns > 3 and u is a:
        u = b
    return w, u, w is b, u is a


def listed(a, b):
    both = [a, b, a]
    return both[State.turns % 3], both[0] is both[2], both[0] is both[1], {"x": a, "y": b}.get("y")


def generated(a, b):
    def items():
        for index in range(State.turns):
            yield a if index % 2 else b

    return [item for item in items()]


def tried(a, b):
    w = a
    try:
        w = b
        if State.turns > 2:
            raise KeyError
        w = a
    except KeyError:
        pass
    return w, w is a


def called(a, b):
    a, b = b, a
    return opaque(a, b), (a, b), opaque([a, b])[0][1] is b


def f(a, b, turns):
    State.turns = turns
    return [way(a, b) for way in (chosen, carried, listed, generated, tried, called)]


def pair(make):
    return make(), make()


PAIRS = [
    pair(lambda: tuple(["a b", 1000, (2.5, "x y")])),
    pair(lambda: tuple(["a b", "c d"])),
    pair(lambda: "".join(["some", " text"])),
    pair(lambda: tuple([1.5, 2.5])),
    pair(lambda: 10**6 + len("ab")),
    pair(lambda: float("2.5")),
    pair(lambda: range(3, len("abcdefgh"))),
]
ONE = tuple(["the same", 1000])
PLAIN = "AT101"
CALLS = [(*both, turns) for both in PAIRS for turns in (0, 2, 3, 4)] + [(ONE, ONE, 3)]


def noise(rng):
    return CALLS[rng.integers(len(CALLS))]
