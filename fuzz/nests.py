"""Random loop nests that change arrays in place, through XLA and plain, compared.

    python -m fuzz.run --kind nests --programs 300 --seed 0

Stores go to elements, rows and slices, through views and under branches; bounds depend on loops further out.
Results, changed arguments, types and exceptions must be the same but for the last bits of floats.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import closeness
import harness
import numpy as np
import variants

import astrace
from fuzz.compare import loaded, outcome_of
from fuzz.draft import Draft

HEADER = '"""A random loop nest."""\n\nimport numpy as np\n\n\n'


@dataclass
class Nest(Draft):
    """A loop nest in the making."""

    budget: int = 7

    # -- expressions -------------------------------------------------------------------------------

    def index(self) -> str:
        """An index of ``a`` or ``b``: inside, from the end, or now and then outside."""
        if not self.indices or self.rng.random() < 0.1:
            return self.rng.choice(["0", "-1", "n - 1", "n // 2"])
        name = self.rng.choice(self.indices)
        return self.rng.choice(
            [name, name, f"n - 1 - {name}", f"{name} - 1", f"({name} * 2) % n", f"({name} + 1) % n"]
        )

    def element(self) -> str:
        if self.rng.random() < 0.3:
            return f"c[{self.index()}, {self.index()}]"
        return f"{self.rng.choice('ab')}[{self.index()}]"

    def value(self, depth: int = 2) -> str:
        kind = self.rng.random()
        if depth == 0 or kind < 0.3:
            return self.element()
        if kind < 0.45:
            return self.rng.choice(["s", "0.5", "2.0", "-1.0", *self.indices])
        if kind < 0.55:
            return f"np.sin({self.value(depth - 1)})"
        symbol = self.rng.choice(["+", "-", "*"])
        return f"({self.value(depth - 1)} {symbol} {self.value(depth - 1)})"

    def small(self) -> str:
        """A value that does not grow without bounds."""
        return f"np.tanh({self.value()})"

    def test(self) -> str:
        return (
            f"{self.value(1)} {self.rng.choice(['<', '>'])} {self.rng.choice(['0.0', 's', self.element()])}"
        )

    def vector(self) -> str:
        """An array as long as ``a``."""
        name = self.rng.choice(["a", "b", "c[:, 0]", f"c[{self.index()}]"])
        return self.rng.choice(
            [name, f"{name}[::-1]", f"np.tanh({name})", f"{name} * 0.5", f"np.cumsum({name}) * 0.1"]
        )

    # -- statements --------------------------------------------------------------------------------

    def statement(self) -> None:
        self.budget -= 1
        kinds = [
            self.store,
            self.store,
            self.update,
            self.swap,
            self.kept,
            self.slices,
            self.rows,
            self.branch,
        ]
        if self.depth < 4:
            kinds += [self.loop, self.loop, self.loop]
        self.rng.choice(kinds)()

    def store(self) -> None:
        self.line(f"{self.element()} = {self.small()}")

    def update(self) -> None:
        self.line(f"{self.element()} {self.rng.choice(['+=', '-=', '*='])} {self.small()}")

    def swap(self) -> None:
        left, right = self.element(), self.element()
        self.line(f"{left}, {right} = {right}, {left}")

    def kept(self) -> None:
        """Something read before a store and used behind it."""
        name = self.fresh("q")
        self.line(f"{name} = {self.element()}")
        self.store()
        self.line(f"{self.element()} = np.tanh({name} + s)")

    def slices(self) -> None:
        array = self.rng.choice("ab")
        line = self.rng.choice(
            [
                f"{array}[1:] = {array}[:-1] * 0.5",
                f"{array}[1:-1] += 0.1 * ({array}[2:] - {array}[:-2])",
                f"{array}[:] = {self.vector()}",
                f"{array}[::2] *= 0.5",
                f"{array} += {self.vector()}",
                f"{array}[{array} > 1.0] = 1.0",
            ]
        )
        self.line(line)

    def rows(self) -> None:
        name = self.fresh("row")
        if self.rng.random() < 0.5:
            self.line(f"{name} = c[{self.index()}]")
            self.line(f"{name}[{self.index()}] = {self.small()}")
            self.line(f"s = s * 0.5 + {name}[0]")
        else:
            self.line(
                self.rng.choice(
                    [f"c[{self.index()}] = {self.vector()}", f"c[:, {self.index()}] += {self.vector()}"]
                )
            )

    def branch(self) -> None:
        self.line(f"if {self.test()}:")
        self.block(self.rng.randint(1, 2))
        if self.rng.random() < 0.6:
            self.line("else:")
            self.block(1)

    def loop(self) -> None:
        name = self.fresh("i")
        inner = self.indices[-1] if self.indices else "2"
        bounds = ["n", "1, n", "n - 1, -1, -1", f"{inner}, n", f"{inner}", "0, n, 2"]
        self.line(f"for {name} in range({self.rng.choice(bounds)}):")
        self.indices.append(name)
        self.block(self.rng.randint(1, 3))
        self.indices.pop()

    def block(self, count: int) -> None:
        self.depth += 1
        for _ in range(count):
            if self.budget <= 0:
                self.store()
                break
            self.statement()
        self.depth -= 1


def program(seed: int) -> str:
    """The source of a random loop nest."""
    nest = Nest(random.Random(seed))
    nest.line("n = len(a)")
    if nest.rng.random() < 0.3:
        nest.line(nest.rng.choice(["b = a[:]", "b = c[0]", "a = a.copy()", "c = c.T"]))
    nest.loop()
    while nest.budget > 3:
        nest.statement()
    nest.line("return s, " + nest.rng.choice(["a", "b", "a.sum()", "c", "a * 1.0"]))
    return f"{HEADER}def f(a, b, c, s):\n" + "\n".join(nest.lines) + "\n"


Arguments = Callable[[int], list[tuple[object, ...]]]


def arguments(seed: int) -> list[tuple[object, ...]]:
    """Arguments for three calls: some items, other ones, one item."""
    rng = np.random.default_rng(seed)
    sizes = (5, 5, 1)
    return [
        (rng.normal(size=n), rng.normal(size=n), rng.normal(size=(n, n)), float(rng.normal())) for n in sizes
    ]


def compare(
    source: str, seed: int, _way: variants.Variant | None, arguments: Arguments = arguments
) -> tuple[list[str], str]:
    """Return the differences of one program, and how it was captured: whole, or why it does not run through XLA."""
    with loaded(source, f"nest{seed}_plain") as plain, loaded(source, f"nest{seed}_captured") as captured:
        function = astrace.compile(captured.f, backend="jax", recompile_limit=variants.MANY)
        found: list[str] = []
        for given in arguments(seed):
            expected = harness.observe(plain.f, harness.fresh_arguments(given))
            outcome = harness.observe(function, harness.fresh_arguments(given))
            found += [f"{given}: {one}" for one in closeness.differences(expected, outcome)]
        refused = [entry.stages.refused for entry in function._entries]
        codes = sorted(f"not through XLA, {reason.code}" for reason in refused if reason is not None)
        return found, codes[0] if codes else outcome_of(function)
