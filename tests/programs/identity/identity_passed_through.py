"""What comes in and goes out is the object that it was, whichever way it takes."""

exec("def opaque(value):\n    return value")


class Box:
    pass


KEPT = Box()
ITEMS = []


def plain(v):
    return v, [v], {"k": v}, (v, v)


def branch(v):
    if KEPT.turns > 2:
        w = v
    else:
        w = None
    return w


def loop(v):
    found = []
    for _ in range(KEPT.turns):
        found.append(v)
    return found


def carried(v):
    w = 0
    for _ in range(KEPT.turns):
        w = v
    return w


def tried(v):
    try:
        if KEPT.turns > 2:
            raise ValueError(v)
    except ValueError as error:
        return error.args[0]
    return v


def generator(v):
    def items():
        for _ in range(KEPT.turns):
            yield v

    return list(items())


def behind_a_call(v):
    first = opaque(v)
    return first, v, opaque([v])[0]


def stored(v):
    KEPT.value = v
    ITEMS.clear()
    ITEMS.insert(0, v)
    ITEMS.extend([v, (v,)])
    made = Box()
    made.value = v
    return KEPT.value, ITEMS[0], ITEMS[2][0], made.value


def spread(v):
    def inner(*args, **named):
        return args[0], named["k"], [*args]

    return inner(v, k=v)


def f(v, turns):
    KEPT.turns = turns
    return (
        *(way(v) for way in (plain, branch, loop, carried, tried, generator, behind_a_call, stored, spread)),
        KEPT.value is v,
        ITEMS[1] is v,
    )


VALUES = [
    tuple(["a b", 1000, (2.5, "x y")]),
    "".join(["some", " ", "text"]),
    bytes([1, 2, 3]),
    10**6,
    2.0**0.5,
    frozenset(["a b", 12345]),
]
PLAIN = "AT101"
CALLS = [(value, turns) for value in VALUES for turns in (3, 0)]


def noise(rng):
    return CALLS[rng.integers(len(CALLS))]
