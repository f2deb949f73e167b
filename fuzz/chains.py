"""Random array statements one after the other, through kernels that run them together, to the bit.

    python -m fuzz.run --kind chains_native --programs 100 --seed 0

Names are used once or several times, at the same elements or at shifted ones; arrays are changed in place, may be one or overlap, and
are larger than a tile, which has few elements here.  Functions warn, sizes differ, and what is written may have to be put back.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Final
from unittest import mock

import numpy as np
import variants

from astrace.passes.fusion import tiles
from fuzz import complex_numbers
from fuzz.draft import FormDraft

HEADER = '"""Random array statements."""\n\nimport numpy as np\n\n\n'
TILE: Final = 4
"""The elements of a tile: arrays have several, and a last one that is not full."""
VECTORS: Final = (
    *("{name}", "{name}", "{name}", "x", "y", "m[{index}]", "m[:, {index}]"),
    *("({vector} + {vector})", "({vector} * {vector})", "({vector} - {scalar})", "({scalar} * {vector})"),
    *("({vector} / {vector})", "(1.0 / {vector})", "({vector} / {scalar})", "(-{vector})", "np.abs({vector})"),
    *("np.exp({vector})", "np.exp(-np.abs({vector}))", "np.sqrt(np.abs({vector}))", "np.sqrt({vector})"),
    *("np.log(np.abs({vector}) + 1.0)", "np.sin({vector})", "np.log({vector})", "({vector} ** 2)", "({vector} ** 3)"),
    *("np.maximum({vector}, {scalar})", "np.minimum({vector}, {vector})", "np.where({vector} > {scalar}, {vector}, {vector})"),
    *("np.hypot({vector}, {vector})", "np.tanh({vector})", "{vector}.astype(np.float32)", "{name}[::-1]", "np.arctan2({vector}, {vector})"),
)  # fmt: skip
SCALARS: Final = ("s", "0.5", "2.0", "0.0", "1.0", "-1.0", "x.sum()", "np.max(y)", "x[{index}]", "3")
MATRICES: Final = (
    *("m", "{matrix_name}", "{matrix_name}", "m.T"),
    *("({matrix} + {vector})", "({matrix} * {matrix})", "({matrix} - {scalar})", "np.exp(-np.abs({matrix}))", "np.sqrt({matrix})"),
    *("({matrix} / {vector})", "np.where({matrix} > {scalar}, {matrix}, {vector})", "({matrix} * ({vector})[:, None])", "np.sin({matrix})"),
)  # fmt: skip
CHANGES: Final = (
    *("x += {vector}", "y *= {vector}", "{name} -= {scalar}", "x[:] = {vector}", "y[1:] = {vector}[1:]", "y[:-1] += x[1:]"),
    *("x[1:-1] = y[2:] - y[:-2]", "m += {vector}", "m[:] = {matrix}", "m[{index}] = {vector}", "m[:, {index}] *= {vector}"),
    *("x[{index}] = {scalar}", "{name} /= {vector}", "np.exp({vector}, out=x)", "s = s * 0.5", "x[y > s] = {scalar}"),
)  # fmt: skip
RESULTS: Final = (
    "{name}",
    "{name}, {name}",
    "x.sum(), {name}",
    "{matrix_name}, {name}",
    "{name}, s",
    "m.sum(axis=0), {name}",
)
SPECIAL: Final = (0.0, -0.0, 1.0, -1.0, 0.5, 800.0, np.inf, np.nan, 1e-200, -1e200)


@dataclass
class Chain(FormDraft):
    """A program in the making.

    Args:
        vectors: names of arrays with one axis.
        matrices: names of arrays with two.
    """

    FILLER = "s = s * 0.5"

    budget: int = 9
    vectors: list[str] = field(default_factory=lambda: ["x", "y"])
    matrices: list[str] = field(default_factory=lambda: ["m"])

    def part(self, kind: str, depth: int) -> str:
        """An expression of a kind."""
        match kind:
            case "index":
                return self.rng.choice([*self.indices, *self.indices, "0", "-1", "n // 2"])
            case "name":
                return self.rng.choice(self.vectors[-4:])
            case "matrix_name":
                return self.rng.choice(self.matrices[-3:])
            case "test":
                return self.fill(self.rng.choice(["s > 0.1", "{name}[{index}] > s", "{name}.sum() < 2.0"]))
            case _:
                forms, plain = {"scalar": (SCALARS, 7), "vector": (VECTORS, 7), "matrix": (MATRICES, 4)}[kind]
                return self.chosen(forms, plain, depth)

    def statement(self) -> None:
        """Write a statement."""
        self.budget -= 1
        kind = self.rng.random()
        if kind < 0.1 and self.loops < 2:
            self.loop()
        elif kind < 0.15 and self.depth < 4:
            self.branch()
        elif kind < 0.45:
            self.line(self.fill(self.rng.choice(CHANGES)))
        elif kind < 0.55:
            self.named("matrix", self.matrices)
        else:
            self.named("vector", self.vectors)

    def named(self, kind: str, names: list[str]) -> None:
        """Write an array to a name; one that is new is known at the outermost level alone."""
        text = self.part(kind, 3)
        name = self.fresh(kind[0]) if self.depth == 1 else self.rng.choice(names)
        self.line(f"{name} = {text} + 0.0" if name in "xym" else f"{name} = {text}")
        if name not in names:
            names.append(name)

    def loop(self) -> None:
        """Write a loop."""
        name = self.fresh("i")
        self.line(f"for {name} in range({self.rng.choice(['n', '3', '2'])}):")
        self.indices.append(name)
        self.loops += 1
        self.block(self.rng.randint(2, 4))
        self.loops -= 1
        self.indices.remove(name)


def compare(
    source: str, seed: int, way: variants.Variant | None, through_numba: bool
) -> tuple[list[str], str]:
    """What differs for one program; of two NaNs that meet, either may come out."""
    with mock.patch.object(tiles, "TILE", TILE):
        return complex_numbers.compared(source, seed, way, arguments, through_numba)


def program(seed: int) -> str:
    """The source of random array statements."""
    made = Chain(random.Random(seed))
    made.line("n = len(x)")
    while made.budget > 0:
        made.statement()
    made.line(f"return {made.fill(made.rng.choice(RESULTS))}")
    return f"{HEADER}def f(x, y, m, s):\n" + "\n".join(made.lines) + "\n"


def arguments(seed: int) -> list[tuple[object, ...]]:
    """Arguments for some calls: a few items, special ones, one item, none, arrays that are one or overlap, sizes that differ."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([5, 8, 9, 11]))

    def numbers(*shape: int) -> np.ndarray:
        return rng.normal(size=shape)

    found: list[tuple[object, ...]] = [
        (numbers(size), numbers(size), numbers(size, size), float(rng.normal())) for size in (n, n, 1, 0)
    ]
    found.append((rng.choice(SPECIAL, n), rng.choice(SPECIAL, n), rng.choice(SPECIAL, (n, n)), 0.25))
    one, whole = numbers(n), numbers(n + 1)
    found += [(one, one, numbers(n, n), 0.5), (whole[1:], whole[:-1], numbers(n, n), 0.5)]
    found += [
        (numbers(n), numbers(n - 1), numbers(n, n), 0.5),
        (numbers(n)[::-1], numbers(n), numbers(n, n).T, 0.5),
    ]
    found.append((numbers(n).astype("f4"), numbers(n).astype("f4"), numbers(n, n).astype("f4"), 0.5))
    return found
