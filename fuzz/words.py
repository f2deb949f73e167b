"""Random programs of integers of all dtypes, mostly without a sign, and of floats, under settings for errors, through kernels.

    python -m fuzz.run --kind words_native --programs 100 --seed 0

Integers wrap around, are shifted out and have no place in an integer with a sign; floats are divided by zero.  What NumPy is
to ignore, inside the program, does not make a kernel give up.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import variants

from fuzz.complex_numbers import compared
from fuzz.draft import FormDraft

HEADER: Final = '"""A random program of words."""\n\nimport numpy as np\n\n\n'
SETTINGS: Final = (
    *("all='warn'", "all='ignore'", "over='ignore'", "divide='ignore', invalid='ignore'"),
    *("over='ignore', divide='ignore'", "all='ignore', over='warn'", "divide='warn'"),
)
SCALARS: Final = (
    *("a[{index}]", "b[{index}]", "c[{index}]", "t", "s", "out[{index}]", "np.uint64(5)", "3", "1", "{index}"),
    *("0xFFFFFFFF", "0xFFFFFFFFFFFFFFFF", "np.uint64(0x9E3779B97F4A7C15)", "np.uint32(7)", "np.int64(2)", "np.uint64({index})", "-1"),
    *("({scalar} + {scalar})", "({scalar} - {scalar})", "({scalar} * {scalar})", "({scalar} & {scalar})", "({scalar} ^ {scalar})"),
    *("({scalar} * {scalar})", "({scalar} ^ {scalar})", "({scalar} | {scalar})", "({scalar} >> np.uint64(7))", "({scalar} << np.uint64(13))"),
    *("({scalar} << {index})", "({scalar} >> np.uint32(5))", "({scalar} << 70)", "({scalar} // {scalar})", "({scalar} % {scalar})"),
    *("({scalar} / {scalar})", "(~{scalar})", "int({scalar})", "float({scalar})", "abs({scalar})", "np.uint64({scalar})"),
    *("np.int64({scalar})", "np.uint32({scalar})", "np.float32({scalar})", "np.uint8({scalar})", "bool({scalar})", "np.sqrt({scalar})"),
    *("min({scalar}, {scalar})", "np.maximum({scalar}, {scalar})", "a[{scalar} % 3]", "a[:{index}].sum()", "({scalar} if {test} else {scalar})"),
)  # fmt: skip
VECTORS: Final = (
    *("a", "b", "c", "a[::-1]", "b[{index}:][:1]", "np.uint64(11)", "3", "s", "0xFFFFFFFFFFFFFFFF", "c[: len(a)]"),
    *("({vector} + {vector})", "({vector} - {vector})", "({vector} * {vector})", "({vector} ^ {vector})", "({vector} & {vector})"),
    *("({vector} >> {vector})", "({vector} << np.uint64(3))", "({vector} / {vector})", "({vector} // {vector})", "({vector} % {vector})"),
    *("({vector} < {vector})", "np.where({vector} > {vector}, {vector}, {vector})", "a.astype(np.uint64)", "b.astype(np.uint8)"),
    *("c.astype(np.int64)", "b.astype(np.float32)", "np.minimum({vector}, {vector})", "np.sqrt({vector})", "(~a)"),
)  # fmt: skip
TESTS: Final = (
    *(
        "{scalar} < {scalar}",
        "{scalar} == {scalar}",
        "a[{index}] > b[{index}]",
        "{scalar}",
        "np.isfinite({scalar})",
    ),
    *("not {test}", "{scalar} >= 2", "{scalar} != np.uint64(0)"),
)
CHANGES: Final = (
    *("t = {scalar}", "t = {scalar}", "out[{index}] = {scalar}", "out[{index}] = {scalar}", "a[{index}] = {scalar}", "t += {scalar}"),
    *("t = t * np.uint32(1664525) + np.uint32({index})", "t ^= {scalar}", "out[{index}] += {scalar}", "b[{index}] ^= {scalar}"),
    *("t *= {scalar}", "out[{index}] -= {scalar}", "a = {vector}", "b = {vector}", "a += {vector}", "a ^= {vector}", "out[: len(a)] = {vector}"),
    *("b *= {vector}", "t = {vector}.sum()", "t = a.max()", "a[a > {vector}] = {scalar}", "out[a % 3] += 1", "t = a.mean()"),
)  # fmt: skip
RESULTS: Final = ("t, out", "t, a, b, c", "out, a", "t, out, b", "a == b, t")
DTYPES: Final = ("u8", "u8", "u8", "u4", "i8", "i8", "i4", "u1", "i1", "?", "f8", "f4")
WORDS: Final = (0, 1, 2, 3, 7, 63, 255, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1, 0x9E3779B97F4A7C15)
SIGNED: Final = (0, 1, -1, 2, 5, 127, -128, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63))
FLOATS: Final = (0.0, -0.0, 1.5, -2.25, 1e10, 2.0**63, 2.0**64, -1.0, 255.5, np.nan, np.inf, 1e300)
SCALAR_TYPES: Final = (int, np.uint64, np.int64, float, np.uint32)


@dataclass
class Words(FormDraft):
    """A program in the making."""

    FILLER = "t = t + 1"
    TEST_DEPTH = 1
    ELSE = 0.5

    budget: int = 6

    def part(self, kind: str, depth: int) -> str:
        """An expression of a kind."""
        if kind == "index":
            known = [*self.indices, *self.indices, *(f"{one} - 1" for one in self.indices)]
            return self.rng.choice([*known, "0", "-1", "n // 2"])
        forms, leaves = {"scalar": (SCALARS, 17), "vector": (VECTORS, 10), "test": (TESTS, 4)}[kind]
        return self.fill(self.rng.choice(forms if depth else forms[:leaves]), max(0, depth - 1))

    def statement(self) -> None:
        """Write a statement."""
        self.budget -= 1
        kind = self.rng.random()
        if kind < 0.3 and self.loops < 2 and self.depth < 4:
            self.loop()
        elif kind < 0.42 and self.depth < 4:
            self.branch()
        elif kind < 0.46 and self.loops:
            self.line(f"if {self.part('test', 1)}: break")
        else:
            self.line(self.fill(self.rng.choice(CHANGES)))

    def loop(self) -> None:
        """Write a loop."""
        name = self.fresh("i")
        self.line(f"for {name} in range({self.rng.choice(['n', 'n', '1, n', 'len(a)', '3'])}):")
        self.indices.append(name)
        self.loops += 1
        self.block(self.rng.randint(1, 3))
        self.loops -= 1
        self.indices.remove(name)


def program(seed: int) -> str:
    """Return a program: ``f`` of three arrays, a number and how many items the arrays have."""
    rng = random.Random(seed)
    words = Words(rng)
    words.line(f"t = {rng.choice(['s', 'np.uint64(1)', 'a[0]', '0', 'np.uint32(1)'])}")
    words.line(f"out = np.zeros(n, np.{rng.choice(['uint64', 'uint32', 'int64', 'float64', 'uint8'])})")
    words.line(f"with np.errstate({rng.choice(SETTINGS)}):")
    words.depth += 1
    words.loop()
    while words.budget > 0:
        words.statement()
    words.depth -= 1
    words.line(f"return {rng.choice(RESULTS)}")
    return f"{HEADER}def f(a, b, c, s, n):\n" + "\n".join(words.lines) + "\n"


def arguments(seed: int) -> list[tuple[Any, ...]]:
    """Arguments for four calls, of two sets of types."""
    rng = random.Random(seed)
    kinds = [([rng.choice(DTYPES) for _ in range(3)], rng.choice(SCALAR_TYPES)) for _ in range(2)]
    calls: list[tuple[Any, ...]] = []
    for size, (dtypes, scalar) in zip((4, 0, 5, 1), (kinds[0], kinds[0], kinds[1], kinds[1]), strict=True):
        number: Any = rng.choice((1, 5, 12, 2**31 + 1))
        calls.append((*(_items(rng, dtype, size) for dtype in dtypes), scalar(number), size))
    return calls


def _items(rng: random.Random, name: str, size: int) -> np.ndarray:
    """An array of numbers that a dtype has."""
    dtype = np.dtype(name)
    special = {"u": WORDS, "i": SIGNED, "f": FLOATS, "b": (0, 1)}[dtype.kind]
    given = [rng.choice(special) if rng.random() < 0.5 else rng.choice((1, 2, 3, 9, 17)) for _ in range(size)]
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        given = [min(max(int(one), int(limits.min)), int(limits.max)) for one in given]
    with np.errstate(all="ignore"):
        return np.array(given, dtype)


def compare(
    source: str, seed: int, way: variants.Variant | None, through_numba: bool
) -> tuple[list[str], str]:
    """What differs for one program."""
    return compared(source, seed, way, arguments, through_numba)
