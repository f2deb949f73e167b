"""Random programs of lists of numbers and of tuples of numbers, beside arrays: what kernels keep as lists of machine numbers.

    python -m fuzz.run --kind lists_text --programs 300 --seed 0

Lists grow, shrink, are cut, joined, repeated, walked, handed on and given back; indices lie outside now and then.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

import numpy as np

from fuzz.draft import FormDraft

HEADER: Final = '"""A random program of lists."""\n\nimport numpy as np\n\n\n'
LISTS: Final = ("xs", "ys")
NUMBERS: Final = (
    *("xs[{index}]", "ys[{index}]", "a[{index}]", "s", "t", "0.5", "-1.0", "a[{index}] * 0.5", "float(k[{index}])"),
    *("xs[-1]", "ys[{index}] + s", "min({number}, 2.0)", "max({number}, {number})", "({number} - {number})"),
    *("float({integer})", "abs({number})", "pairs[{index}][1]", "(s if {test} else {number})"),
)  # fmt: skip
INTEGERS: Final = (
    *("ks[{index}]", "k[{index}]", "c", "j", "len(xs)", "len(ks)", "3", "-2", "int(k[{index}])", "pairs[{index}][0]"),
    *("({integer} + 1)", "({integer} * {integer}) % 7", "len(ys) // 2", "(c if {test} else {integer})"),
)  # fmt: skip
TESTS: Final = (
    *("xs", "not ys", "ks", "{number} > {number}", "{integer} < {integer}", "len(xs) > 2", "xs[{index}] < s"),
    *("len(xs) == len(ys)", "{integer} % 2", "pairs and {number} > 0.0", "not pairs", "{test} and {test}"),
)  # fmt: skip
CHANGES: Final = (
    *("xs.append({number})", "ys.append({number})", "ks.append({integer})", "pairs.append(({integer}, {number}))"),
    *("xs[{index}] = {number}", "ys[{index}] += 0.5", "ks[{index}] = {integer}", "pairs[{index}] = ({integer}, {number})"),
    *("t = xs.pop()", "c = ks.pop()", "t = ys.pop({index})", "c, t = pairs.pop()", "c = ks.pop(0)", "c, t = pairs[{index}]"),
    *("xs.insert({index}, {number})", "ks.insert(0, {integer})", "xs.extend(ys)", "xs += ys", "ks += [c, j]", "xs.clear()"),
    *("xs = ys", "xs, ys = ys, xs", "ys = xs[{index}:]", "xs = xs[:{index}]", "ys = xs[::-1]", "ys = xs.copy()", "ks = ks[1:]"),
    *("xs = [0.25] * {small}", "ys = xs + [{number}]", "xs = [{number}] + ys * 2", "ks = list(range({small}))", "ks = [j, c] * 2"),
    *("ys = [v * 0.5 for v in xs]", "xs = [{number} for i in range({small})]", "ks = [i * 2 for i in ks if i > 1]"),
    *("a[{index}] = {number}", "a[:] = t", "t = {number}", "c = {integer}", "t = np.array(xs).sum()", "a = np.array(ys)"),
    *("ys = list(a)", "ys = [float(v) for v in a]", "pairs = [(i, v * 0.5) for i, v in enumerate(xs)]", "xs = list(ys)"),
    *("k[{index}] = ks[{index}]", "pairs = pairs[::2]", "c = len(xs) + len(pairs)", "xs[{index}], ys[{index}] = ys[{index}], xs[{index}]"),
)  # fmt: skip
LOOPS: Final = (
    *("for v in xs:", "for i in ks:", "for p, q in pairs:", "for i, v in enumerate(xs):", "for v, i in zip(xs, ks):"),
    *("for i in range(len(ys)):", "for i in range(n):", "for i in range({small}):", "for v in reversed(xs):"),
)  # fmt: skip
RESULTS: Final = (
    *("xs", "xs, ks", "pairs, t", "np.array(xs), ks", "len(xs), c, t", "xs[-1]", "a, pairs", "t", "xs, ys", "ys, c, s"),
    *("ks[0], pairs", "np.array(ks), a", "[t, s], c", "xs + ys, pairs"),
)  # fmt: skip


@dataclass
class Listed(FormDraft):
    """A program in the making."""

    budget: int = 10

    def part(self, kind: str, depth: int) -> str:
        match kind:
            case "index":
                return self.rng.choice([*self.indices, "0", "0", "-1", "1", "len(xs) // 2", "c % 3"])
            case "small":
                return self.rng.choice(["n", "j", "3", "len(ks) % 5", "c % 4"])
            case "number":
                return self.chosen(NUMBERS, 7, depth)
            case "integer":
                return self.chosen(INTEGERS, 8, depth)
            case _:
                return self.chosen(TESTS, 6, depth)

    def statement(self) -> None:
        self.budget -= 1
        kind = self.rng.random()
        if kind < 0.25 and self.loops < 2 and self.depth < 4:
            self.loop()
        elif kind < 0.4 and self.depth < 4:
            self.branch()
        elif kind < 0.45 and self.loops:
            self.line(f"if {self.part('test', 1)}: {self.rng.choice(['break', 'continue'])}")
        else:
            self.line(self.fill(self.rng.choice(CHANGES)))

    def loop(self) -> None:
        """A loop that ends: lists that it is over grow no further than a hundred items."""
        if self.rng.random() < 0.35:
            name = self.fresh("turn")
            self.line(f"{name} = 0")
            self.line(f"while {name} < 9 and ({self.part('test', 1)}):")
            self.indices.append(name)
            first = f"{name} += 1"
        else:
            name = ""
            self.line(self.fill(self.rng.choice(LOOPS)))
            first = "if len(xs) + len(ks) + len(ys) + len(pairs) > 100: break"
        self.body(first)
        if name:
            self.indices.remove(name)


def program(seed: int) -> str:
    """The source of a random program of lists."""
    listed = Listed(random.Random(seed))
    first = listed.rng.choice(["[]", "[s]", "[0.5, t]", "[0.0] * n"])
    listed.line("n, t, c = len(a), 0.5, 0")
    listed.line(f"xs, ys = {first}, [{listed.rng.choice(['t', 's', 'a[0]', '1.0'])}]")
    listed.line(
        f"ks, pairs = {listed.rng.choice(['[]', '[j]', 'list(range(n))'])}, [(j, {listed.rng.choice('ts')})]"
    )
    while listed.budget > 0:
        listed.statement()
    listed.line(f"return {listed.rng.choice(RESULTS)}")
    return f"{HEADER}def f(a, k, s, j):\n" + "\n".join(listed.lines) + "\n"


def arguments(seed: int) -> list[tuple[object, ...]]:
    """Arguments for three calls: some items, other ones, one item."""
    rng = np.random.default_rng(seed)
    return [
        (
            rng.integers(-8, 9, n) / 4,
            rng.integers(0, 5, n),
            float(rng.integers(-8, 9) / 4),
            int(rng.integers(0, 4)),
        )
        for n in (4, 5, 1)
    ]
