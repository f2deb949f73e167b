"""Random programs that draw random numbers: in branches, loops, comprehensions, helpers, handlers, past exceptions.

`program(rng)` gives the source of a module with a function ``f``, ``arguments(call)`` and ``states()``, the states of
all that draws.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final

HEADER: Final = '''"""A random program that draws."""

import random

import numpy as np

G = np.random.default_rng(1)
S = np.random.RandomState(2)
R = random.Random(3)
LOG = []
KEPT = G.bit_generator.state


class Owner:
    """Has a generator of its own."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.n = 0

    def draw(self, d):
        self.n += 1
        return self.rng.normal() + d if d > 0 else d


def many(rng, n):
    for _ in range(n):
        yield rng.random()


def half(rng, d=0):
    return rng.random() / 2 if d < 1 else d


def deep(rng, n):
    return rng.random() if n <= 0 else deep(rng, n - 1)


owner = Owner(4)
np.random.seed(5)
random.seed(6)


def arguments(call):
    """The arguments of a call; the same generator twice in some."""
    g = np.random.default_rng(call)
    h = [g, np.random.default_rng(9), G, np.random.Generator(g.bit_generator)][call]
    return g, h, [0.5, -1.0, 2.0, 0.0][call], [3, 0, 1, 2][call], np.arange(4.0) - call, [1, 2.0, 3]


def states():
    """The next draws of all generators."""
    streams = [G.bit_generator.state, owner.rng.bit_generator.state, owner.n]
    return repr([*streams, S.get_state(), np.random.get_state(), R.getstate(), random.getstate()])


'''
PLACE: Final = re.compile(r"\{([A-Z])\}")
SOURCES: Final = ("G", "g", "h", "owner.rng", "r")
DRAWS: Final = (
    "{G}.random()", "{G}.normal()", "{G}.integers(0, 5)", "{G}.normal({E}, 2.0)", "{G}.choice(x)", "{G}.uniform(-1, 1)",
    "{G}.random(3).sum()", "{G}.integers(0, 9, n + 1)[-1]", "{G}.permutation(x)[0]", "np.random.rand()", "S.rand()",
    "np.random.normal({E}, 1.0)", "np.random.randint(0, 4)", "S.randint(5)", "S.normal()", "random.random()", "R.random()",
    "random.randint(0, 3)", "R.choice([1, 2, 3])", "random.gauss(0, 1)", "R.uniform(0, 2)", "random.choice(items)",
    "sum(many({G}, 2))", "sum({G}.random() for _ in range(n))", "max([{G}.random() for _ in range(2)])", "half({G}, {E})",
    "half({G})", "({D} if {C} else {D})", "({C} and {D})", "({E} or {D})", "owner.draw({E})", "deep({G}, 2)", "next(many(g, 2))",
    "np.random.default_rng(n).random()", "{G}.spawn(2)[1].random()", "np.mean([{D}, {D}])", "abs({D})", "max({D}, {D})",
    "{G}.bit_generator.state['state']['state'] % 7", "(lambda: {D})()", "[{D}, {D}][n % 2]", "float(x[0])", "{G}.poisson(2.0)",
    "any({G}.random() > 0.5 for _ in range(3))", "[v for v in x if {G}.random() > 0.4].__len__()", "'{{:.3f}}'.format({D}).__len__()",
)  # fmt: skip
NUMBERS: Final = ("t", "n", "0.5", "-1", "{D}", "x[0]", "t + 1", "len(x)", "x.sum()")
TESTS: Final = (
    "{D} > 0.5",
    "t > 0",
    "n > 1",
    "{D} < {D}",
    "t",
    "n % 2",
    "{E} > {E}",
    "{D} > 0.3 and {D} > 0.3",
    "not n",
)
STATEMENTS: Final = (
    "t = {D}", "t += {D}", "t = t + {D}", "x[0] = {D}", "x[n % 4] += {D}", "x[1:] *= {D}", "{G}.shuffle(x)", "t -= {D}",
    "{G}.random(out=x)", "{G}.standard_normal(out=x[1:])", "random.shuffle(items)", "{G}.shuffle(items)", "LOG.append({D})",
    "S.shuffle(x[::-1])", "np.random.shuffle(x)", "x = {G}.permuted(x)", "x = x + {G}.normal(size=x.shape)", "items.append({D})",
    "np.random.seed(n)", "random.seed(n)", "S.seed(n + 1)", "R.seed(7)", "r = np.random.default_rng(n)", "r = {G}.spawn(1)[0]",
    "kept = {G}.bit_generator.state", "{G}.bit_generator.state = KEPT", "{G}.bit_generator.state = G.bit_generator.state",
    "owner.rng = np.random.default_rng(n)", "owner.rng = {G}", "owner = Owner(n)", "a, b = {D}, {D}", "print({D})", "{D}",
    "S.set_state(np.random.get_state())", "R.setstate(random.getstate())", "g, h = h, g", "r = np.random.Generator(np.random.PCG64(2))",
    "x, t = {G}.normal(size=4), {D}", "items[0] = {D}", "t = {G}.normal(0.0, t)", "t = [t, {D}][{G}.integers(2)]", "n = n + 0",
    "for v in x: t += v * {G}.random()", "t = sum([{D} for _ in range(n)])", "items = [{D} for v in items if {C}]", "r = {G}",
    "items.sort(key=abs)", "t = sorted([t, {D}])[0]", "x = np.array([{D}, {D}, t, 1.0])", "del a", "t = float(np.float64({D}))",
)  # fmt: skip
LEAVING: Final = (
    "return t, {D}",
    "raise ValueError({D})",
    "return None",
    "raise KeyError('key')",
    "t = x[9]",
    "t = {D} / 0",
)
HEADS: Final = (
    "for i{0} in range(n)", "for i{0} in range(3)", "for v{0} in x", "for v{0} in many({G}, 3)", "for v{0} in {G}.random(3)",
    "for i{0}, v{0} in enumerate(x)", "for v{0} in [{D}, {D}]", "for v{0} in map({G}.normal, x)", "for g in [g, h]",
)  # fmt: skip
CAUGHT: Final = ("ValueError", "(ValueError, IndexError)", "Exception", "KeyError", "ZeroDivisionError")


class Writer:
    """Writes one program.

    Args:
        rng: decides everything.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.steps = 0

    def program(self) -> str:
        """The source of a program."""
        self.write(1, "r = h")
        if self.rng.random() < 0.8:
            self.write(1, "a = kept = None")
        for _ in range(self.rng.randint(3, 8)):
            self.statement(1)
        self.write(1, "return t, n, x, items, g.random(), h.random(), r is g, owner.n")
        body = "\n".join(self.lines)
        named = ", ".join(name for name in ("owner",) if f"{name} =" in body)
        declared = f"    global {named}\n" if named else ""
        return f"{HEADER}def f(g, h, t, n, x, items):\n{declared}{body}\n"

    def write(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def fill(self, template: str, depth: int = 3) -> str:
        """A template with its places filled in."""
        tables = {"G": SOURCES, "D": DRAWS, "E": NUMBERS, "C": TESTS}
        simple = {
            "D": ("{G}.random()", "np.random.rand()", "random.random()"),
            "E": ("t", "n", "0.5"),
            "C": ("t > 0", "n"),
        }

        def one(match: re.Match[str]) -> str:
            kind = match.group(1)
            table = simple.get(kind, tables[kind]) if depth <= 0 else tables[kind]
            return self.fill(self.rng.choice(table), depth - 1)

        return PLACE.sub(one, template)

    def statement(self, depth: int) -> None:
        """Write a statement, with all that is inside it."""
        self.steps += 1
        compound: list[Callable[[int], None]] = [self.branch, self.branch, self.loop, self.loop, self.attempt]
        if depth >= 4 or self.rng.random() < 0.6:
            self.write(depth, self.fill(self.rng.choice(STATEMENTS)))
        else:
            self.rng.choice(compound)(depth)

    def body(self, depth: int, leaves: float = 0.15) -> None:
        for _ in range(self.rng.randint(1, 3)):
            self.statement(depth)
        if self.rng.random() < leaves:
            self.steps += 1
            self.write(depth, self.fill(self.rng.choice(LEAVING)))

    def branch(self, depth: int) -> None:
        self.write(depth, f"if {self.fill('{C}')}:")
        self.body(depth + 1)
        if self.rng.random() < 0.5:
            self.write(depth, "else:")
            self.body(depth + 1)

    def loop(self, depth: int) -> None:
        if self.rng.random() < 0.3:
            self.write(depth, f"k{self.steps} = 0")
            self.write(depth, f"while k{self.steps} < 3 and ({self.fill('{C}')}):")
            self.write(depth + 1, f"k{self.steps} += 1")
        else:
            self.write(depth, self.fill(self.rng.choice(HEADS)).replace("{0}", str(self.steps)) + ":")
        if self.rng.random() < 0.3:
            self.write(depth + 1, f"if {self.fill('{C}')}:")
            self.write(depth + 2, self.rng.choice(["break", "continue"]))
        self.body(depth + 1, 0.1)

    def attempt(self, depth: int) -> None:
        self.write(depth, "try:")
        self.body(depth + 1, 0.6)
        kinds = self.rng.choice([("except",), ("finally",), ("except", "finally"), ("except", "else")])
        for kind in kinds:
            caught = f" {self.rng.choice(CAUGHT)}" if kind == "except" else ""
            self.write(depth, f"{kind}{caught}:")
            self.body(depth + 1, 0.05)


def program(rng: random.Random) -> tuple[str, int]:
    """The source of a random program, and how many statements it has.

    Args:
        rng: decides everything.
    """
    writer = Writer(rng)
    return writer.program(), writer.steps
