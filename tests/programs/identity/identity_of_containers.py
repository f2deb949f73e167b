"""Tuples in lists in dicts keep their identity; keys, defaults, globals and attributes do."""

exec("def opaque(value):\n    return value")

KEY = (5, 5)
ITEMS = []
TABLE = {("a b", 2): ("v w", 1.5)}


class Box:
    text = "of the class"
    pair = (1.5, "x y")


BOX = Box()


def nested(held):
    (first, (second, third)), rest = held[0], held[1:]
    return first, second, third, rest, held[0][1], [*held[0]]


def unpacked(held):
    found = []
    for one, two in held[:1]:
        found.append(one)
        found.append(two)
    return found, [part for pair in held[:1] for part in pair]


def of_globals():
    ITEMS.clear()
    ITEMS.insert(0, KEY)
    ITEMS.append(BOX.pair)
    (key,) = TABLE
    return ITEMS[0] is KEY, ITEMS[1] is Box.pair, TABLE[key], [key], BOX.text


def of_keys(table):
    found = []
    for key, value in table.items():
        found.append(key)
        found.append(value)
    return found, list(table), sorted(table)[0], opaque([*table])


def of_defaults(pair=("default", 1000)):
    return pair


def as_keys(table, key):
    made = {key: 1}
    table[key] = key
    return list(made), [one for one in made], table[key]


def sliced(pair):
    return pair[:], pair * 1, pair + (), tuple(pair), pair[0:1]


def f(held, table, key):
    return nested(held), unpacked(held), of_globals(), of_keys(table), of_defaults(), as_keys(table, key), sliced(key)


def text(*parts):
    return " ".join(parts)


PLAIN = "AT101"
CALLS = [
    ([(text("a", "b"), (1000, (2.5,))), 10**9], {text("k", "l"): (1.5, text("m", "n"))}, (text("k", "m"), 3)),
    ([(text("a", "c"), (2000, (3.5,))), 10**8, 7], {text("k", "l"): (2.5, text("m", "n"))}, (text("k", "m"), 3)),
    ([(text("a", "c"), (2000, (3.5,))), 10**8, 7], {text("k", "o"): (2.5, text("m", "n"))}, (text("k", "n"), 4)),
]
AFTER = "ITEMS[0] is KEY, ITEMS[1] is Box.pair"


def noise(rng):
    return CALLS[rng.integers(len(CALLS))]
