"""Random programs of numbers, arrays and lists whose types are known, through XLA and plain, compared.

    python -m fuzz.run --kind typed --programs 300 --seed 0

All floats are small multiples of a quarter, so that XLA has nothing to round: branches go the same way.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

import numpy as np

from fuzz.draft import FormDraft

HEADER = '"""A random typed program."""\n\nimport numpy as np\n\n\n'
VECTORS: Final = (
    *(
        "np.minimum(x, y)",
        "np.maximum(x, 0.5)",
        "np.abs(y)",
        "np.sign(x) * y",
        "np.floor(x)",
        "x[::-1]",
        "np.sort(y)",
    ),
    *(
        "np.where(x > y, x, {scalar})",
        "x + {scalar}",
        "y - m[{index}]",
        "m[:, {index}] * 0.5",
        "np.clip(np.cumsum(x), -4, 4)",
    ),
    *(
        "k * 0.5",
        "(x > {scalar}) * 1.0",
        "x[k % n]",
        "-y",
        "np.roll(x, 1)",
        "x % 2.0",
        "y // 0.5",
        "m.sum(axis=0)",
    ),
    *(
        "x.astype(np.float32)",
        "np.where(k > 1, k, 1)",
        "m.T[{index}]",
        "np.diff(x, append=1.0)",
        "np.round(x)",
        "1.5 * k",
    ),
)
SCALARS: Final = (
    *("x[{index}]", "y[{index}]", "m[{index}, {index}]", "k[{index}]", "s", "t", "j", "c", "0.5", "-1.0", "2", "len(out)"),
    *("x.sum()", "np.max(y)", "x.min()", "m[{index}].sum()", "np.argmax(x)", "np.count_nonzero(x > 0)", "k.sum()"),
    *("x[:{index}].sum()", "y[{index}:].sum()", "x[{index} : {index} + 2].sum()", "m[{index}, :{index}].sum()"),
    *("x[:{index}] @ y[:{index}]", "np.dot(m[{index}], x)", "np.sum(x[{index}:] * y[{index}:])", "np.max(x[: {index} + 1])"),
    *("min({scalar}, {scalar})", "max({scalar}, {scalar}, 0)", "abs({scalar})", "float({scalar})", "int({scalar})"),
    *("({scalar} if {test} else {scalar})", "({scalar} + {scalar})", "({scalar} - {scalar})", "({scalar} * 0.5)"),
    *("{scalar} // 2", "{scalar} % 3", "c // 3", "(c + j) % 4", "k[{index}] // 2", "-{scalar}", "np.float32({scalar})"),
    *("x[k[{index}] % n]", "out[-1]", "out[{index}]", "np.median(x[:1])", "np.int8(c % 5)", "round({scalar})"),
    *("np.sign({scalar})", "x[{index}:][0]", "np.mean(x[:{index}][:1])", "(x[:{index}] > 0).sum()", "divmod(c, 3)[1]"),
)  # fmt: skip
TESTS: Final = (
    *(
        "{scalar} > {scalar}",
        "{scalar} <= 0",
        "x[{index}] == y[{index}]",
        "c % 2",
        "{scalar} < {scalar} < 2",
        "x.any()",
    ),
    *(
        "not {test}",
        "{test} and {test}",
        "{test} or {test}",
        "np.all(y > -1)",
        "j",
        "k[{index}] == 2",
        "k[{index}] in (1, 3)",
        "c not in (0, t)",
        "len(out) > 1",
    ),
)
CHANGES: Final = (
    *("x[{index}] = {small}", "y[{index}] += {small}", "m[{index}, {index}] = {small}", "k[{index}] = c % 7", "t = {small}"),
    *("x[:{index}] = {small}", "y[{index}:] *= 0.5", "m[{index}] = {vector}", "m[:, {index}] = {vector}", "c += 1", "t = {small}"),
    *("x = {vector}", "y = {vector} * 1.0", "x[x > 1.0] = {small}", "x[{index}], x[{index}] = y[{index}], x[{index}]"),
    *("np.add(x, y, out=y)", "x[:{index}] += y[:{index}]", "x[{index}:] = y[{index}:]", "out.append({small})", "out.append({small})"),
    *("c, j = j % 5, c", "m[{index}, :{index}] = {small}", "m *= 0.5", "x[:{index}] = x[:{index}][::-1]", "row = m[{index}]; row[0] = {small}"),
    *("best = {small} if best is None else max(best, {small})", "x = x.copy()", "z = x[1:]; z[:1] = {small}", "k = k % 3", "np.clip(x, -2, 2, out=x)"),
)  # fmt: skip
LEAVES: Final = (
    *(
        "if {test}: return t, c",
        "if {test}: raise ValueError('no')",
        "assert {test}",
        "if {test}: return None",
    ),
)
LOOPS: Final = (
    *("for {name} in range(n):", "for {name} in range(1, n):", "for {name} in range(n - 1, -1, -1):", "for {name} in range({index}, n):"),
    *("for {name} in range({index}):", "for {name}, v in enumerate(x):", "for {name} in range(0, n, 2):", "for {name}, (v, w) in enumerate(zip(x, k)):"),
    "for {name} in reversed(range(n)):",
)  # fmt: skip
RESULTS: Final = (
    *(
        "t, c",
        "x, y",
        "out, t",
        "m, out",
        "best",
        "x.sum(), c, out[::-1]",
        "t, best",
        "x * 1.0, k",
        "m[0], y",
        "(t, x), [c, j]",
    ),
)


@dataclass
class Typed(FormDraft):
    """A program in the making."""

    budget: int = 9

    def part(self, kind: str, depth: int) -> str:
        match kind:
            case "index":
                known = [*self.indices, *self.indices, *(f"{one} - 1" for one in self.indices)]
                return self.rng.choice([*known, "0", "-1", "n // 2", "c % n"])
            case "small":
                scalar = self.part("scalar", depth)
                return (
                    f"min(max({scalar}, -4.0), 4.0)"
                    if self.rng.random() < 0.7
                    else f"np.clip({scalar}, -4.0, 4.0)"
                )
            case "scalar":
                return self.fill(self.rng.choice(SCALARS if depth else SCALARS[:11]), max(0, depth - 1))
            case "test":
                return self.fill(self.rng.choice(TESTS if depth else TESTS[:6]), max(0, depth - 1))
            case _:
                return f"np.clip({self.fill(self.rng.choice(VECTORS), depth)}, -4, 4)"

    def statement(self) -> None:
        self.budget -= 1
        kind = self.rng.random()
        if kind < 0.25 and self.loops < 2 and self.depth < 4:
            self.loop()
        elif kind < 0.45 and self.depth < 4:
            self.branch()
        elif kind < 0.52:
            self.line(self.fill(self.rng.choice(LEAVES)))
        elif kind < 0.57 and self.loops:
            self.line(f"if {self.part('test', 1)}: {self.rng.choice(['break', 'continue'])}")
        else:
            self.line(self.fill(self.rng.choice(CHANGES)))

    def loop(self) -> None:
        name = self.fresh("i")
        if self.rng.random() < 0.2:
            self.line(f"{name} = 0")
            self.line(f"while {name} < n and ({self.part('test', 1)}):")
            self.depth += 1
            self.line(f"{name} += 1")
            self.depth -= 1
        else:
            self.line(self.fill(self.rng.choice(LOOPS).replace("{name}", name)))
            self.indices.append(name)
        self.loops += 1
        self.block(self.rng.randint(1, 3))
        self.loops -= 1
        if name in self.indices:
            self.indices.remove(name)


def program(seed: int) -> str:
    """The source of a random typed program."""
    typed = Typed(random.Random(seed))
    typed.line("n, t, c, best, out = len(x), 0.5, 0, None, [0.25]")
    while typed.budget > 0:
        typed.statement()
    typed.line(f"return {typed.rng.choice(RESULTS)}")
    return f"{HEADER}def f(x, y, k, m, s, j):\n" + "\n".join(typed.lines) + "\n"


def arguments(seed: int) -> list[tuple[object, ...]]:
    """Arguments for four calls: some items, other ones, one item, none."""
    rng = np.random.default_rng(seed)

    def quarters(*shape: int) -> np.ndarray:
        return rng.integers(-8, 9, shape) / 4

    return [
        (
            quarters(n),
            quarters(n),
            rng.integers(0, 5, n),
            quarters(n, n),
            float(quarters()),
            int(rng.integers(0, 4)),
        )
        for n in (4, 4, 1, 0)
    ]
