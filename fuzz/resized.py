"""Random programs whose loops make arrays shorter or longer: filters, slices, joins, and views of what there was before.

    python -m fuzz.run --kind resized_text --programs 300 --seed 0

Loops follow each other with numbers and branches that raise between them, tests are of numbers, sums and sizes, names are made in
loops and branches alone.  The types, the layouts and the sizes of the arguments differ from call to call.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from fuzz.draft import FormDraft

HEADER: Final = '"""A random program of arrays whose sizes change."""\n\nimport numpy as np\n\n\n'
VECTORS: Final = (
    *("x", "y", "kept", "z", "x", "y", "x[1:]", "y[:-1]", "x[::2]", "m[{index}]", "m[:, 0]", "x[:0]", "k * 1", "p"),
    *("x[x > {number}]", "y[y != {number}]", "x[keep]", "y[~keep]", "x[p]", "m[{index}, 1:]", "x[::-1]", "x[{index}:]"),
    *("np.concatenate(({vector}, {vector}))", "np.concatenate((x, y, x[:1]))", "np.append(x, {number})", "np.repeat(y, 2)"),
    *("{vector} * 0.5", "x + {number}", "-y", "abs(x)", "x[1:] - x[:-1]", "x * x", "np.where(x > 0, x, {number})", "x.copy()"),
    *("np.array([{number}, {number}])", "np.array([{number}, t])", "np.zeros({integer} % 4)", "np.arange({integer} % 5)", "np.cumsum(x)"),
    *("np.sort(y)", "np.indices(({integer} % 3 + 1,))[0]", "np.triu_indices(len(x) % 4, {integer} % 3 - 1)[0]", "x.ravel()"),
    *("np.tril_indices({integer} % 4)[1]", "np.indices((len(x) % 4, 2))[0, :, 1]", "np.nonzero(x)[0]", "np.minimum(x, 1)"),
)  # fmt: skip
NUMBERS: Final = (
    *("t", "s", "c", "0.5", "1", "x[{index}]", "y[{index}]", "0", "x.size", "len(y)", "-1.5", "p[{index}]", "k[{index}]"),
    *("x.sum()", "y.sum()", "({number} + {number})", "({number} * 0.5)", "float({number})", "x.max()", "m[{index}].sum()"),
    *("({number} and {number})", "({number} or {number})", "(t if {test} else {number})", "np.float32({number})", "int({integer})"),
    *("kept.sum()", "len(kept)", "kept[{index}]", "found", "m.sum()", "abs({number})", "x.mean()", "z[{index}]", "z.size"),
)  # fmt: skip
INTEGERS: Final = (
    *("j", "c", "len(x)", "2", "n", "y.size", "3"),
    *("({integer} + 1)", "len(kept)", "int(k[{index}])", "({integer} - 1)", "(x > 0).sum()", "np.count_nonzero(y)"),
)  # fmt: skip
TESTS: Final = (
    *("c", "len(x)", "x.size", "j", "t", "x.sum() > {number}", "y.sum()", "{number} > {number}", "not c", "none", "keep.any()"),
    *("{test} and {number}", "{number} or {test}", "not {test}", "not ({number} and {test})", "{number} and {number}"),
    *("len(x) == len(y)", "none is None", "none and {test}", "none or {test}", "x.size and x[0] > 0", "len(y) and y[-1]"),
    *("{test} and not {test}", "(x > {number}).all()", "kept is x", "x.any() and {integer} % 2", "{integer} < {integer}"),
    *("y.sum() and x.sum()", "x.size > 2 and x[2]", "c % 2 or len(y) > 1", "not {number} or not {number}"),
)  # fmt: skip
CHANGES: Final = (
    *("x = {vector}", "x = {vector}", "y = {vector}", "x, y = y, x", "x, y = {vector}, {vector}", "z = {vector}", "kept = x"),
    *("keep = x > {number}; x, p = x[keep], p[keep]", "keep = abs(x) < 2; x = x[keep] * 1.5", "p = p[1:]", "keep = x > {number}"),
    *("x, p = x[1:], p[1:]", "keep = y == y; y = y[keep]", "kept = x; x = x[1:] - x[:-1]", "m = m[m[:, 0] > {number}]", "m = m[1:]"),
    *("m = np.concatenate((m, m[:1]))", "m = m[:, ::-1]", "m = m * 0.5", "m = m.T", "k = k[k > {integer}]", "p = np.arange(len(x))"),
    *("x[{index}] = {number}", "y[{index}] += {number}", "kept[{index}] = {number}", "z = x[1:]; z[:1] = {number}", "x[:2] = {number}"),
    *("x[x > 1] = {number}", "m[{index}] = {number}, {number}, t", "m[{index}, 0] = {number}", "kept = x[:]; x = x[:2]", "x += 1"),
    *("y *= 2", "view = x[::2]; x = x[1:]; view[:1] = {number}", "seen[p] = c", "seen[p[keep]] += 1", "t = {number}", "c = {integer}"),
    *("t = t + {number}", "c += 1", "none = {number}", "none = None", "found = {number}", "found, z = {number}, {vector}", "c = c // 2"),
    *("rows, columns = np.triu_indices({integer} % 4, k={integer} % 3 - 1)", "rows, columns = np.tril_indices(len(x) % 4)"),
    *("z = x[rows] * x[columns]", "t += rows.sum()", "z = rows", "rows, columns = np.indices((len(x) % 3, {integer} % 3))", "z = columns[:, :1]"),
    *("x = x.copy()", "y = np.array([{number}, t, {number}])", "y = np.array([t, s])", "x[{index}:] = t", "np.add(x, 1, out=x)"),
)  # fmt: skip
LEAVES: Final = (
    *(
        "if {test}: raise ValueError('no')",
        "assert {test}, 'none'",
        "if {test}: return x, t",
        "if {test}: return None",
    ),
)
LOOPS: Final = (
    *("for i in range({small}):", "for i in range({small}):", "for i in range(len(x)):", "for v in x:", "for v in y:"),
    *("for i in range(n):", "for i, v in enumerate(y):", "for row in m:", "for i in range({small}, 0, -1):"),
)  # fmt: skip
RESULTS: Final = (
    *("x, y, t", "x, kept", "x, p, seen", "y, c, t", "x, kept, x.size", "m, t", "z, t", "x[1:], y", "found, z", "rows, columns, x"),
    *("x, y, kept, p, m, t, c", "x.sum(), y.sum(), t", "none, x", "keep, x", "x if t else y", "len(x), len(y), c", "i, x"),
)  # fmt: skip


@dataclass
class Resized(FormDraft):
    """A program in the making."""

    budget: int = 9

    def part(self, kind: str, depth: int) -> str:
        match kind:
            case "index":
                return self.rng.choice([*self.indices, "0", "0", "-1", "c", "1"])
            case "small":
                return self.rng.choice(["n", "j", "3", "2", "c % 4", "len(y) % 4"])
            case "vector":
                return self.chosen(VECTORS, 14, depth)
            case "number":
                return self.chosen(NUMBERS, 13, depth)
            case "integer":
                return self.chosen(INTEGERS, 7, depth)
            case _:
                return self.chosen(TESTS, 11, depth)

    def statement(self) -> None:
        self.mixed(CHANGES, LEAVES)

    def loop(self) -> None:
        """A loop that ends: arrays grow no further than some dozens of items."""
        if self.rng.random() < 0.35:
            name = self.fresh("turn")
            self.line(f"{name} = 4")
            self.line(f"while ({name} := {name} - 1) and ({self.part('test', 1)}):")
        else:
            name = "i"
            self.line(self.fill(self.rng.choice(LOOPS)))
        self.indices.append(name)
        self.body("if x.size + y.size + m.size > 60: break")
        self.indices.remove(name)


def program(seed: int) -> str:
    """The source of a random program of arrays whose sizes change."""
    rng = random.Random(seed)
    resized = Resized(rng)
    resized.line("n, t, c, none = len(y), 0.5, 0, None")
    resized.line("p, seen, kept, keep = np.arange(len(x)), np.zeros(len(x)), x, x > 0")
    resized.loop()
    while resized.budget > 0:
        resized.statement()
    resized.line(f"return {rng.choice(RESULTS)}")
    resized.lines[2:2] = [f"    {line}" for name, line in FIRST.items() if _needs(rng, name, resized.lines)]
    return f"{HEADER}def f(x, y, k, m, s, j):\n" + "\n".join(resized.lines) + "\n"


FIRST: Final = {
    "i": "i = 0",
    "z": "z = y",
    "found": "found = s",
    "rows": "rows = p[1:]",
    "columns": "columns = p",
}
"""What stands before the loops for names that else these alone make."""


def _needs(rng: random.Random, name: str, lines: list[str]) -> bool:
    """Return whether a name gets a value at first: sometimes one that gets its value later does not."""
    made = any(f"{name} = " in line or f"{name}, " in line for line in lines)
    return any(name in line for line in lines) and not (made and rng.random() < 0.4)


DTYPES: Final = ("f8", "f8", "f8", "f4", "i8", "i4", "i1", "?", "c16")
SCALARS: Final[Sequence[Callable[[float], Any]]] = (float, np.float64, np.float32, int)


def arguments(seed: int) -> list[tuple[Any, ...]]:
    """Arguments for five calls, of two sets of types; in the last, arrays are parts of others, or only to be read."""
    rng = np.random.default_rng(seed)
    types = [rng.choice(DTYPES, 3) for _ in range(2)]
    scalars = [SCALARS[int(rng.integers(len(SCALARS)))] for _ in range(2)]
    sizes = ((4, 3), (0, 2), (1, 1), (6, 6), (5, 2))
    return [_one_call(rng, *sizes[call], types[call > 2], scalars[call > 2], call == 4) for call in range(5)]


def _one_call(
    rng: np.random.Generator, n: int, m: int, types: Any, scalar: Callable[[float], Any], odd: bool
) -> tuple[Any, ...]:
    def quarters(dtype: Any, *shape: int) -> np.ndarray:
        return (rng.integers(-8, 9, shape) / 4).astype(dtype)

    given = quarters(types[0], n), quarters(types[1], m), rng.integers(0, 3, n), quarters(types[2], m, 3)
    if odd:
        given = _laid_out(rng, given[0]), _laid_out(rng, given[1]), given[2], _laid_out(rng, given[3])
    return *given, scalar(rng.integers(-8, 9) / 4), int(rng.integers(0, 4))


def _laid_out(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    """The same array: every other item of a larger one, the other way around, by columns, or only to be read."""
    match int(rng.integers(5)):
        case 0:
            return np.repeat(array, 2, axis=0)[::2]
        case 1:
            return array[::-1]
        case 2:
            return np.asfortranarray(array)
        case 3:
            array.flags.writeable = False
            return array
        case _:
            return array
