"""`f(*items, **named)` where only the running program knows what there is, and all parameters of `f` have names."""

import json

import numpy as np

SEEN = []
CHANGED = {"by": 2.0}


def read(text):
    return json.loads(text)


def line(x, slope=1.0, offset=0.0):
    return slope * x + offset


def only_named(x, *, by=2, then=CHANGED):
    SEEN.append(by)
    then["by"] = by
    return x * by, then is CHANGED


def by_position(a, b, /, c=3, *, d=4):
    return [a, b, c, d]


def none_at_all():
    return "none"


def walked(values, scale=1):
    total = 0
    for value in values:
        if value > scale:
            total += value * scale
    return total


def counted(n, upto=3):
    while n < upto:
        n = n + 1
    return n


def recursive(n, step=1):
    return 0 if n <= 0 else n + recursive(n - step, step)


def items_of(x, times=2):
    for i in range(int(times)):
        yield x * i


class Model:
    weight = 2.0

    def __init__(self, func):
        self.func = func

    def evaluate(self, x, power=1, shift=0.0):
        return self.weight * x**power + shift

    @classmethod
    def made(cls, x, name="made"):
        return cls.__name__, x, name

    @staticmethod
    def fixed(x, y=1):
        return x - y


def told(call):
    try:
        return call()
    except TypeError as error:
        return type(error).__name__, str(error)


def functions(x, named):
    model = Model(line)
    return (
        model.func(x, **named),
        told(lambda: model.evaluate(x, **named)),
        told(lambda: Model.made(x, **named)),
        told(lambda: Model.fixed(**named)),
        told(lambda: only_named(x, **named)),
        told(lambda: none_at_all(**named)),
    )


def positions(x, items):
    return (
        told(lambda: line(*items)),
        told(lambda: line(x, *items)),
        told(lambda: by_position(*items, x)),
        told(lambda: by_position(*items, d=x)),
        told(lambda: Model(None).evaluate(*items)),
        told(lambda: counted(*items)),
        told(lambda: recursive(*items)),
        told(lambda: walked([x, x + 1], *items)),
        told(lambda: list(items_of(*items))),
        told(lambda: none_at_all(*items)),
    )


def same(items):
    """What a function is given is what there is: arrays that it fills, lists that it grows."""

    def kept():
        return held

    held = read(items)
    held.append([])
    grown(*held)
    return held, kept() is held


def grown(*items):
    fill(last=items[-1])
    fill(items[-1])


def fill(last, value=7):
    last.append(value)
    return last


def filled(named):
    array = np.zeros(3)
    into = {**read(named), "array": array}
    result = put(**into)
    return array, result is array, put(**into) is array


def put(array, value=1.0, at=0):
    array[at] = value
    return array


def f(x, named, items):
    SEEN.clear()
    CHANGED.clear()
    return (
        functions(x, read(named)),
        positions(x, read(items)),
        same(items),
        filled('{"value": 2.5}'),
        filled('{"at": 1}'),
        list(SEEN),
        dict(CHANGED),
    )


CALLS = [
    (2.0, "{}", "[]"),
    (2.0, '{"slope": 3}', "[1]"),
    (2.0, '{"slope": 3, "offset": 1.5}', "[1, 2]"),
    (np.arange(3.0), '{"offset": 1.5}', "[2, 1, 5]"),
    (2.0, '{"slope": 3, "x": 1}', "[1, 2, 3, 4, 5]"),
]
