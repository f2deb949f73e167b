"""Functions that store into attributes and entries of dicts in loops, and objects that take such stores in different ways."""

from __future__ import annotations

import dataclasses
import types
import weakref
from typing import Any

import numpy as np

TOLD: list[Any] = []
"""What the objects below have told."""
total = 0


# -- objects ---------------------------------------------------------------------------------------------------


class Plain:
    """Attributes of its own."""


class Slotted:
    """Slots, of which one may be empty."""

    __slots__ = ("best", "count", "level", "state", "where")


class WithDefaults:
    """Attributes of the class, hidden by those of an object."""

    best, count, level, where, state = -1.0, 0, 0.0, 0, None


class Telling:
    """A property stores one of them, and tells."""

    @property
    def count(self):
        return self._count

    @count.setter
    def count(self, value):
        TOLD.append(("count", value))
        self._count = value


class Refusing:
    """One of them cannot be stored."""

    @property
    def level(self):
        return 0.5


class Checked:
    """Tells of each store."""

    def __setattr__(self, name, value):
        TOLD.append((name, value))
        object.__setattr__(self, name, value)


@dataclasses.dataclass
class Record:
    """Fields."""

    best: float = -1.0
    count: int = 0
    level: float = 0.0
    where: int = 0
    state: Any = None


class LetGo:
    """Tells when it is let go of."""

    def __del__(self):
        TOLD.append("let go")


def filled(made, **others):
    """Return an object with all attributes, some of which are others; ``...`` for none."""
    values = {"best": -1.0, "count": 0, "level": 0.0, "where": 0, "state": None} | others
    for name, value in values.items():
        if value is not ...:
            object.__setattr__(made, name, value)
    return made


def watched_array():
    """Return an array that tells when it is let go of."""
    array = np.zeros(3)
    TOLD.append(weakref.ref(array, lambda _: TOLD.append("array let go")))
    return array


OBJECTS = {
    "plain": lambda: filled(Plain()),
    "other types": lambda: filled(Plain(), best=2, count=1.5, level=np.float32(1), where=True, state="x"),
    "nothing stored yet": Plain,
    "one missing": lambda: filled(Plain(), where=...),
    "slots": lambda: filled(Slotted()),
    "an empty slot": lambda: filled(Slotted(), where=...),
    "class attributes": WithDefaults,
    "class attributes hidden": lambda: filled(WithDefaults()),
    "a property": lambda: filled(Telling(), count=..., _count=0),
    "a property that refuses": lambda: filled(Refusing(), level=...),
    "__setattr__": lambda: filled(Checked()),
    "fields": Record,
    "a namespace": lambda: types.SimpleNamespace(best=-1.0, count=0, level=0.0, where=0, state=None),
    "a value that tells": lambda: filled(Plain(), state=LetGo()),
    "an array that tells": lambda: filled(Plain(), state=watched_array()),
    "large numbers": lambda: filled(Plain(), count=2**63 - 2, level=1e308),
}


# -- functions -------------------------------------------------------------------------------------------------


def counts(a, x):
    for i in range(len(x)):
        a.count += 1
        a.level = a.level * 0.5 + x[i]
        a.where = i
    return a.level


def finds(a, x):
    for i in range(len(x)):
        if x[i] > a.best:
            a.best = x[i]
            a.where = i
            a.state = "found"
    return a.where


def stops(a, x):
    a.state = "running"
    for i, item in enumerate(x):
        a.count = i
        if item > 0.9:
            a.state = "stopped"
            break
    return a.count, a.state


def either_way(a, x):
    for item in x:
        if item > 0.5:
            a.level = item
        else:
            a.level = a.level - item
            a.count += 1
    return a.level


def nested(a, x):
    i = 0
    while i < len(x):
        for j in range(i):
            if x[j] > a.level:
                a.level = x[j]
                a.count += 1
        a.where = i
        i += 1
    a.state = i
    return a.level


def divides(a, x):
    s = 0.0
    for i in range(len(x)):
        a.where = i
        s += 1.0 / float(x[i])
        a.level = s
    return s


def reads_outside(a, x):
    for i in range(len(x)):
        a.count += 1
        x[i] = x[i + 1] + a.count
    return x


def raises(a, x):
    for i in range(len(x)):
        a.where = i
        if x[i] > 0.8:
            a.state = None
            raise ValueError(f"too large: {a.count}")
        a.count += 1
    return a.count


def loops_or_raises(a, x):
    a.count += 1
    x = 0.5 * x * x + 0.25
    if len(x) > 3:
        raise ValueError(a.count)
    else:
        for item in x:
            a.level = item
            a.state = "seen"
            if item > 0.6:
                a.where = 7
    return a.count, x * 2.0 - 1.0


def straight(a, x):
    a.state = x * 2.0 + 1.0
    a.level = float(len(x))
    y = a.state * a.state - x
    a.state = y
    return y + x


def replaces(a, x):
    a.state = x
    for i in range(3):
        a.state = a.state + 0.5 * x
        a.count = i
    return a.state


def changes_in_place(a, x):
    a.state = x
    for i in range(3):
        a.state += i
        a.state[0] -= 1.0
    return a.state is x


def swaps(a, x):
    a.best, a.state = x + 1.0, x * 2.0
    for _ in range(3):
        a.best, a.state = a.state, a.best
    return a.best - a.state


def keeps_the_last_but_one(a, x):
    a.state = x
    for _ in range(4):
        a.best = a.state
        a.state = a.state * 2.0
    return a.best


def stores_an_argument(a, x, y):
    for i in range(len(x)):
        a.state = y
        a.count = i
    return y


def three_objects(a, b, c, x):
    for i in range(len(x)):
        for one in (a, b, c):
            one.count += 1
            one.level = one.level * 0.5 + x[i]
            one.where = i
    return a.level + b.level + c.level


def two_objects(a, b, x):
    for i in range(len(x)):
        a.level = x[i]
        if i == 1:
            b.level = -1.0
    return a.level, b.level


def an_object_and_its_dict(a, d, x):
    for i in range(len(x)):
        a.level = x[i]
        if i == 1:
            d["level"] = -1.0
    return a.level


def entries(d, x):
    for i in range(len(x)):
        d["count"] += 1
        d["level"] = d["level"] + x[i]
        if x[i] > d["best"]:
            d["best"] = x[i]
    return d["level"]


def appends(found, where, x):
    for i in range(len(x)):
        if x[i] > 0.2:
            found.append(x[i])
        for j in range(i):
            where.append(i * j)
    return len(x)


def appends_pairs_until_it_raises(found, places, x):
    for i in range(len(x)):
        found.append((i, x[i]))
        places.append(1.0 / float(x[i]))
    return found


def appends_and_stores(a, found, x):
    for item in x:
        a.level = a.level + item
        found.append(a.level)
        a.count += 1
    return a.count


def appends_arrays(found, others, x):
    for i in range(3):
        x = x + 1.0
        found.append(x)
        others.append(2.0 * x)
    return x


def appends_views(found, others, x):
    for i in range(3):
        found.append(x[i:])
        x[i:] += 1.0
    return x


def reads_what_it_appends(found, others, x):
    for i in range(len(x)):
        found.append(x[i])
        others.append(len(found))
    return x


def appends_numbers_of_two_types(found, others, x):
    for i in range(len(x)):
        found.append(x[i])
        found.append(i)
    return x


def uses_what_append_gives(found, others, x):
    y = 0
    for i in range(len(x)):
        y = found.append(x[i])
    return y


def appends_where_something_may_raise(found, others, x):
    for i in range(len(x)):
        x[i] = x[i] * 0.5
        try:
            found.append(1.0 / float(x[i]))
        except ZeroDivisionError:
            others.append(i)
    return x * 2.0 + 1.0


class Counting(list):
    """A list that tells what is appended."""

    def append(self, item):
        TOLD.append(("appended", float(item)))
        super().append(item)


LISTS = {
    "two": lambda: ([], [1.5]),
    "the same": lambda: [[0.5]] * 2,
    "a list of its own": lambda: (Counting(), []),
}
OF_TWO_LISTS = (
    *(appends, appends_pairs_until_it_raises, appends_arrays, appends_views, reads_what_it_appends),
    *(appends_numbers_of_two_types, uses_what_append_gives, appends_where_something_may_raise),
)


def a_global(x):
    global total
    for i in range(len(x)):
        total += 1
        x[i] += total
    return total


def counter():
    """Return a function that stores into a variable of the function around it."""
    calls = 0

    def count(x):
        nonlocal calls
        for i in range(len(x)):
            calls += 1
            x[i] = x[i] * calls
        return calls

    return count


class Filter:
    """A filter of its own state."""

    def __init__(self):
        self.weights = np.zeros(4)
        self.error = 0.0
        self.steps = 0

    def step(self, window, wanted):
        found = self.weights @ window
        error = wanted - found
        self.weights = self.weights + 0.1 * error * window
        self.error += error * error
        self.steps += 1
        return found

    def run(self, x):
        found = np.zeros(len(x))
        for k in range(4, len(x)):
            found[k] = self.step(x[k - 4 : k], x[k])
        return found


def made_here(x):
    made = Filter()
    y = made.run(x)
    return y, made


OF_ONE_OBJECT = (
    *(counts, finds, stops, either_way, nested, divides, reads_outside, raises, straight, replaces),
    loops_or_raises,
    *(changes_in_place, swaps, keeps_the_last_but_one),
)
