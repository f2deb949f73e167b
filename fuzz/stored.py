"""Random programs whose loops store into attributes, entries of dicts, globals and lists from outside.

    python -m fuzz.run --kind stored_text --programs 300 --seed 0

Two objects and a dict may be one and the same, or one the dict of another; attributes may be missing, hidden by a property, or in slots.  What is stored is read
again, in the same turn of a loop, in a later one, or behind the loop, and some programs raise half-way.
"""

from __future__ import annotations

import random
import types
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from fuzz.draft import FormDraft

HEADER: Final = '''"""A random program that stores into objects."""

import numpy as np


class Plain:
    def __init__(self, level, count, peak, field, none):
        self.level, self.count, self.peak, self.field, self.none = level, count, peak, field, none

    def add(self, value):
        self.level += value
        self.count += 1
        return self.level


class Slotted(Plain):
    __slots__ = ("level", "count", "peak")


class Hiding(Plain):
    level = 0.25
    kept = []

    @property
    def count(self):
        return len(self.kept)

    @count.setter
    def count(self, value):
        self.kept.append(value)


class Defaults(Plain):
    level, count, none = -1.0, 3, None


'''
CLASSES: Final = ("Plain", "Plain", "Plain", "Slotted", "Hiding", "Defaults")
NUMBERS: Final = (
    *(
        "t",
        "0.5",
        "1",
        "x[{index}]",
        "a.level",
        "b.level",
        "o.level",
        "d['level']",
        "total",
        "a.peak",
        "o.peak",
        "s",
    ),
    *("o.count", "d['count']", "-1.5", "y[{index}]", "b.count", "a.field[{index}]", "d['field'][{index}]"),
    *(
        "({number} + {number})",
        "({number} * 0.5)",
        "float({number})",
        "x.sum()",
        "a.field.sum()",
        "abs({number})",
    ),
    *(
        "({number} if {test} else {number})",
        "min({number}, {number})",
        "o.add({number})",
        "({number} or {number})",
    ),
)
TESTS: Final = (
    *(
        "{number} > {number}",
        "a.none is None",
        "o.none is None",
        "c % 2",
        "a.count > 2",
        "{number} < 0.5",
        "d['none'] is None",
    ),
    *("not {test}", "{test} and {test}", "{number} == {number}", "o.level > a.level"),
)
VECTORS: Final = (
    "x",
    "y",
    "a.field",
    "d['field']",
    "x * 0.5",
    "a.field + x",
    "d['field'] - {number}",
    "np.zeros(len(x))",
    "x.copy()",
)
STORES: Final = (
    *(
        "a.level = {number}",
        "a.level += {number}",
        "b.level = {number}",
        "b.level -= x[{index}]",
        "o.level = {number}",
    ),
    *(
        "o.count += 1",
        "a.count = c",
        "a.count += 2",
        "o.peak = max(o.peak, {number})",
        "a.peak = {number}",
        "total += 1",
        "total = {number}",
    ),
    *(
        "d['level'] = {number}",
        "d['level'] += {number}",
        "d['count'] += 1",
        "d['none'] = None",
        "t = o.add({number})",
    ),
    *(
        "a.level, b.level = b.level, a.level",
        "o.level, a.peak = a.peak, {number}",
        "l.append({number})",
        "k.append(x[{index}])",
    ),
    *(
        "t = {number}",
        "c += 1",
        "x[{index}] = {number}",
        "y[{index}] += a.level",
        "a.field[{index}] = {number}",
    ),
)
RARE: Final = (
    *(
        "a.none = {number}",
        "o.none = 'set'",
        "a.field = {vector}",
        "a.field += 1.0",
        "o.field = a.field",
        "d['field'] = {vector}",
    ),
    *(
        "l.append((c, {number}))",
        "l.append(c)",
        "t += len(l)",
        "a.state = None",
        "o.none = None",
        "x = a.field",
        "o.peak = a",
    ),
    *("d['level'] = o.level", "a.new = {number}", "del d['level']"),
)
LEAVES: Final = (
    *(
        "if {test}: raise ValueError('no')",
        "if {test}: return a.level, t",
        "t = x[c]",
        "t = 1.0 / float({number})",
    ),
    *("assert {test}", "t = a.unknown"),
)
LOOPS: Final = (
    *(
        "for i in range(len(x)):",
        "for i in range(3):",
        "for i in range(j):",
        "for i, v in enumerate(x):",
        "for v in y:",
    ),
    *("for a.level in x:", "for a.count in range(3):"),
)
RESULTS: Final = (
    *(
        "t, a.level",
        "o.level, o.count, o.peak",
        "x, t, total",
        "a.field, d['field']",
        "o.field, o.none",
        "c",
        "len(l), t",
        "d['level']",
    ),
    *("a.level if t else b.level", "a, t", "l, k"),
)


@dataclass
class Stored(FormDraft):
    """A program in the making."""

    budget: int = 8

    def part(self, kind: str, depth: int) -> str:
        match kind:
            case "index":
                return self.rng.choice([*self.indices, "0", "0", "-1", "c % 2"])
            case "vector":
                return self.chosen(VECTORS, 6, depth)
            case "number":
                return self.chosen(NUMBERS, 19, depth)
            case _:
                return self.chosen(TESTS, 7, depth)

    def statement(self) -> None:
        self.mixed(STORES if self.rng.random() < 0.8 else RARE, LEAVES)

    def loop(self) -> None:
        """A loop that ends."""
        if self.rng.random() < 0.3:
            name = self.fresh("turn")
            self.line(f"{name} = 4")
            self.line(f"while ({name} := {name} - 1) and ({self.part('test', 1)}):")
            self.indices.append(name)
        else:
            name = ""
            self.line(self.rng.choice(LOOPS))
            self.indices += ["i"] if " i" in self.lines[-1] else []
        self.body("c += 1")
        del self.indices[:]


def program(seed: int) -> str:
    """The source of a random program that stores into objects."""
    rng = random.Random(seed)
    stored = Stored(rng)
    stored.line("global total")
    stored.line("t, c = s, 0")
    if rng.random() < 0.15:
        stored.line(rng.choice(["d = vars(a)", "d = a.__dict__", "d = o.__dict__", "o = a", "b = a"]))
    stored.loop()
    while stored.budget > 0:
        stored.statement()
    stored.line(f"return {rng.choice(RESULTS)}")
    made = f"o = {rng.choice(CLASSES)}(1.0, 0, -0.5, np.zeros(3), None)\ntotal = 0\n\n\n"
    return f"{HEADER}{made}def f(a, b, d, l, k, x, y, s, j):\n" + "\n".join(stored.lines) + "\n"


def arguments(seed: int) -> list[tuple[Any, ...]]:
    """Arguments for six calls; in some of them two are one object, attributes are missing, or of other types."""
    rng = np.random.default_rng(seed)
    return [_one_call(rng, call) for call in range(6)]


def _one_call(rng: np.random.Generator, call: int) -> tuple[Any, ...]:
    size = (3, 4, 0, 1, 3, 5)[call]
    values = (rng.integers(-8, 9, 2 * size + 8) / 4).tolist()
    x, y = np.array(values[:size]), np.array(values[size : 2 * size])
    number = np.float64 if call == 4 else float
    objects = [
        types.SimpleNamespace(
            level=number(one), count=int(call), peak=number(other), field=x.copy() + one, none=None
        )
        for one, other in (values[-4:-2], values[-2:])
    ]
    entries: Any = {"level": number(values[-5]), "count": 1, "field": np.ones(size), "none": None}
    first, second = objects
    match int(rng.integers(5)) if call > 2 else 0:
        case 1:
            second = first
        case 2:
            del first.level
        case 3:
            first.level, second.none = 2, x
        case _:
            pass
    shared: list[Any] = []
    lists = (shared, shared) if rng.integers(4) == 0 else ([], [0.5])
    return first, second, entries, *lists, x, y, number(values[-6]), int(rng.integers(0, 4))
