"""Random typed programs that draw random numbers from two generators, which are one in some calls.

    python -m fuzz.run --kind draws_native --programs 300 --seed 0

They are programs of the kind ``typed`` with draws in them: numbers, a few at once, arrays, integers as indices, with parameters that now
and then are refused.  Generators have to go on alike afterwards.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

import numpy as np

from fuzz import typed

SCALARS: Final = (
    *("{rng}.random()", "{rng}.uniform(-1.0, 1.5)", "{rng}.standard_normal()", "{rng}.integers(5)", "{rng}.random(2)[0]"),
    *("{rng}.normal()", "{rng}.exponential()", "{rng}.integers(-2, 3)", "{rng}.poisson(1.5)", "{rng}.standard_exponential()"),
    *("{rng}.normal({scalar}, abs({scalar}) + 0.5)", "{rng}.uniform({scalar}, {scalar} + 1.0)", "{rng}.normal(size=3)[{index}]"),
    *("{rng}.uniform({scalar}, {scalar})", "{rng}.normal(0.0, {scalar})", "{rng}.gamma(abs({scalar}) + 0.25)", "x[{rng}.integers(n)]"),
    *("{rng}.integers(c, 4)", "{rng}.integers(0, n, endpoint=True)", "{rng}.integers(2**33) % 7", "{rng}.random(n).sum()"),
    *("{rng}.integers(3, size=n)[{index}]", "{rng}.random((2, 2))[1, {index}]", "({rng}.random() - {rng}.random())"),
    *("({rng}.random() if {test} else {scalar})", "{rng}.beta(0.5, 2.0)", "{rng}.geometric(0.5)", "float({rng}.integers(9))"),
)  # fmt: skip
VECTORS: Final = (
    *("{rng}.random(n)", "{rng}.normal(0.0, 0.5, n)", "{rng}.integers(-3, 4, n) * 0.25", "x + {rng}.random(n)"),
    *("{rng}.uniform(-1, 1, size=len(y))", "m[{index}] * {rng}.random()", "{rng}.standard_normal(n) * y", "{rng}.poisson(2.0, n)"),
)  # fmt: skip
TESTS: Final = (
    *(
        "{rng}.random() < 0.5",
        "{rng}.random() < {scalar}",
        "{rng}.integers(3)",
        "{rng}.normal() > x[{index}]",
    ),
    "np.all({rng}.random(n) < 0.9)",
)
CHANGES: Final = (
    *("x[{index}] = {rng}.random()", "t = {rng}.uniform(-1.0, 1.0)", "c += {rng}.integers(2)", "y[{index}] += {rng}.normal()"),
    *("t, c = {rng}.random(2)[1], 1", "a, b = {rng}.uniform(-1, 1, 2); t = a * b", "x[{rng}.integers(n)] = {small}"),
    *("{rng}.random()", "m[{index}] = {vector}", "out.append({rng}.random())", "k[{index}] = {rng}.integers(5)"),
    *("z = {rng}.random(3); z[0] = t; t = z.sum() - z[{index}]", "for v in {rng}.random(2): t = v - t * 0.5"),
)  # fmt: skip
OFTEN: Final = 0.35


@dataclass
class TypedDraws(typed.Typed):
    """A program in the making."""

    def part(self, kind: str, depth: int) -> str:
        if kind == "rng":
            return self.rng.choice("ggh")
        if self.rng.random() < OFTEN:
            match kind:
                case "scalar":
                    return self.fill(self.rng.choice(SCALARS if depth else SCALARS[:10]), max(0, depth - 1))
                case "test":
                    return self.fill(self.rng.choice(TESTS), max(0, depth - 1))
                case "vector":
                    return f"np.clip({self.fill(self.rng.choice(VECTORS), depth)}, -4, 4)"
                case _:
                    pass
        return super().part(kind, depth)

    def statement(self) -> None:
        if self.rng.random() < OFTEN:
            self.budget -= 1
            self.line(self.fill(self.rng.choice(CHANGES)))
        else:
            super().statement()


def program(seed: int) -> str:
    """The source of a random typed program that draws."""
    made = TypedDraws(random.Random(seed))
    made.line("n, t, c, best, out = len(x), 0.5, 0, None, [0.25]")
    if made.rng.random() < 0.3:
        made.line(f"h = np.random.default_rng({made.rng.choice(['j', '7'])})")
    while made.budget > 0:
        made.statement()
    made.line(f"return {made.rng.choice(typed.RESULTS)}, g.random()")
    return f"{typed.HEADER}def f(x, y, k, m, s, j, g, h):\n" + "\n".join(made.lines) + "\n"


def arguments(seed: int) -> list[tuple[object, ...]]:
    """The arguments of typed programs, and generators behind them: two, one twice, two of one stream, of another class."""
    found: list[tuple[object, ...]] = []
    for call, given in enumerate(typed.arguments(seed)):
        g = np.random.default_rng(seed + call)
        others = np.random.default_rng(5), g, np.random.Generator(g.bit_generator)
        h = [*others, np.random.Generator(np.random.MT19937(seed))][call]
        found.append((*given, g, h))
    return found
