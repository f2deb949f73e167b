"""Items, attributes and values that are missing: the handler runs until they are there, and again when they go."""

import numpy as np


class Box:
    pass


def helper():
    return None


def late_variable():
    def read():
        return late

    def write(value):
        nonlocal late
        late = value

    if False:
        late = None
    return read, write


box, table, items = Box(), {}, [1.0]
read, write = late_variable()


def tried(look, default):
    try:
        return look()
    except (KeyError, IndexError, AttributeError, NameError):
        return default


def f(x):
    found = [
        tried(lambda: table["q"], 0.0),
        tried(lambda: items[1], 0.0),
        tried(lambda: items[-2], 0.0),
        tried(lambda: box.v, 0.0),
        tried(lambda: Box.v, 0.0),
        tried(lambda: helper.v, 0.0),
        tried(lambda: late_global, 0.0),
        tried(read, 0.0),
    ]
    return x * sum(found), Box.__name__


CALLS = [(np.float64(1.0),)] * 6
BEFORE = {
    1: "table['q'] = 1.0; items.append(10.0)",
    2: "box.v = 100.0; helper.v = 1000.0; late_global = 1e4; Box.__name__ = 'Renamed'",
    3: "write(1e5); del table['q'], box.v",
    4: "Box.v = 1e6; items.pop(); del helper.v",
    5: "del late_global, Box.v",
}
