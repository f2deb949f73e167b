"""Random loops over levels, rows and samples, whose indices are lines of the loops' numbers, through kernels, to the bit.

    python -m fuzz.run --kind fields_native --programs 100 --seed 0

Statements go through rows of arrays one after the other, and through lines of rows: loops over elements inside loops over levels, slices at one level, arrays that a
turn makes, states that a turn replaces, sums of rows, fluxes between rows.  Few elements are a turn or a tile here, so that rows end in the middle of arrays.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final
from unittest import mock

import numpy as np
import variants

from astrace.passes.fusion import lines, rows, tiles
from fuzz import complex_numbers
from fuzz.draft import FormDraft

HEADER = '"""Random loops over levels."""\n\nimport numpy as np\n\n\n'
SIZES: Final = (1, 2, 4, 8)
"""The elements that statements take in one turn."""
LINES: Final = (
    *("{i}", "{i}", "{i}", "{i} - 1", "{i} + 1", "{i} + d", "{i} - d", "{size} - 1 - {i}", "-{i} - 1"),
    *("2 * {i} + d", "d * {i}", "{i} - lo", "lo + {i}", "{i} // 2", "({i} + d) % {size}", "0", "-1", "d", "k[{i}]"),
)  # fmt: skip
"""Indices of an axis, by the number of a loop along it."""
RANGES: Final = (
    *("{size}", "{size}", "1, {size}", "{size} - 1", "{size} - 1, -1, -1", "{size} - 2, -1, -1", "{size} - 1, 0, -1"),
    *("0, {size}, 2", "{size} - 1, -1, -2", "lo, {size}", "lo, hi", "hi, lo, -1", "k[0], {size}", "1, {size} - 1", "d, {size} - d"),
)  # fmt: skip
NUMBERS: Final = (
    *("s", "0.5", "x[{row}]", "a[{row}, {column}]", "b[{row}, {column}]", "{matrix}[{row}, {column}]", "{matrix}[{row}, {column}]"),
    *("t[{row}, {column}, {time}]", "{vector}[{row}]", "{name}"),
    *("({number} + {number})", "({number} - {number})", "({number} * 0.5)", "({number} * {number})", "abs({number})"),
    *("min({number}, {number})", "np.maximum({number}, {number})", "({number} if {test} else {number})", "({number} / {number})"),
)  # fmt: skip
COLUMNS: Final = (
    *("{matrix}[:, {column}]", "a[:, {column}]", "b[:, {column}]", "t[:, {column}, {time}]", "{vector}", "x", "s"),
    *("({of_rows} + {of_rows})", "({of_rows} - {of_rows})", "({of_rows} * 0.5)", "({of_rows} * {of_rows})"),
    *("np.where({of_rows} > {of_rows}, {of_rows}, {of_rows})", "np.maximum({of_rows}, {of_rows})", "abs({of_rows})", "np.exp({of_rows})"),
)  # fmt: skip
WHOLE: Final = (
    *("{matrix}", "a", "b", "t[..., {time}]", "s", "{matrix}", "x[:, None]"),
    *("({of_all} + {of_all})", "({of_all} - {of_all})", "({of_all} * 0.5)", "({of_all} * {of_all})"),
    *("np.where({of_all} > {of_all}, {of_all}, {of_all})", "np.minimum({of_all}, {of_all})", "abs({of_all})"),
)  # fmt: skip
TESTS: Final = (
    *("{i} > d", "{row} == {column}", "{number} > {number}", "{i} % 2 == 0", "0 <= {row} < n", "0 <= {column} < m", "{i} == lo", "k[{i}] > 1"),
)  # fmt: skip
STORES: Final = (
    *("{matrix}[{row}, {column}] {is} {number}",) * 4,
    *(
        "a[{row}, {column}] {is} {number}",
        "b[{row}, {column}] {is} {number}",
        "t[{row}, {column}, {time}] {is} {number}",
    ),
    *("{vector}[{row}] {is} {number}", "x[{row}] {is} {number}", "s = {number}", "{name} = {number}"),
)
OF_ROWS: Final = (
    *(
        "{matrix}[:, {column}] {is} {of_rows}",
        "a[:, {column}] {is} {of_rows}",
        "t[:, {column}, {time}] {is} {of_rows}",
    ),
    *(
        "{vector}[:] {is} {of_rows}",
        "{matrix}[{window}, {column}] {is} {matrix}[{other}, {column}] + x[{other}]",
    ),
    *(
        "{vector}[{window}] {is} {vector}[{other}]",
        "{vector} = {of_rows} + 0.0 * x",
        "x[{window}] {is} {matrix}[{other}, {column}]",
    ),
    *(
        "s = s * 0.5 + np.sum({matrix}[:, {column}])",
        "b[{row}, :] {is} a[{row}, :]",
        "s = np.max(x)",
        "s = s + {matrix}[{row}].sum()",
    ),
    *(
        "{matrix}[:, {column}] {is} {matrix}[:, :].sum(axis=1)",
        "a[:, {column}] {is} np.maximum(a[:, {column}], {of_rows})",
    ),
)
OF_ALL: Final = (
    *("{matrix}[:] {is} {of_all}", "a[:] {is} {of_all}", "b {is}+ {of_all}", "t[..., {time}] {is} {of_all}"),
    *(
        "a[{window}] {is} {matrix}[{other}]",
        "{matrix}[{window}, 1:] {is} a[{other}, :-1]",
        "b[{window}, :] {is} b[{other}, :] * 0.5",
    ),
    *(
        "t[{window}, :, {time}] {is} t[{other}, :, {time}]",
        "a[::-1] {is} b",
        "a[:, ::2] {is} b[:, ::2]",
        "x {is}+ {matrix}.sum(axis=1)",
    ),
)
NEW: Final = (
    "np.zeros(a.shape)",
    "np.empty_like(a); {name}[:] = 0.5 * a",
    "{of_all} + 0.0 * a",
    "np.zeros_like(b)",
    "a.copy()",
    "np.ones(a.shape)",
)
NEW_VECTORS: Final = (
    "np.zeros(n)",
    "np.zeros(n)",
    "x * 0.5",
    "{of_rows} + 0.0 * x",
    "np.empty_like(x); {name}[:] = 0.5 * x",
    "x.copy()",
)
WINDOWS: Final = ("2:", "1:-1", "1:-1", ":-2")
"""Parts of an axis with haloes, all of one length."""


@dataclass
class Fields(FormDraft):
    """A program in the making.

    Args:
        rows: the numbers of loops along the first axis.
        columns: the numbers of loops along the second one.
        matrices: names of arrays with two axes that the program makes.
        vectors: the same with one.
    """

    FILLER = "s = s * 0.5"

    budget: int = 10
    rows: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    matrices: list[str] = field(default_factory=list)
    vectors: list[str] = field(default_factory=list)

    def part(self, kind: str, depth: int) -> str:
        """An expression of a kind."""
        match kind:
            case "row" | "column":
                known, size = (self.rows, "n") if kind == "row" else (self.columns, "m")
                line = (
                    self.rng.choice(LINES[:6] if self.rng.random() < 0.7 else LINES)
                    if known
                    else self.rng.choice(("0", "-1", "d"))
                )
                return line.replace("{i}", self.rng.choice(known or ["0"])).replace("{size}", size)
            case "i":
                return self.rng.choice([*self.rows, *self.columns, "lo"])
            case "time":
                return self.rng.choice(("now", "now", "last", "new", "0"))
            case "is":
                return self.rng.choice(("=", "=", "=", "+=", "-=", "*="))
            case "matrix":
                return self.rng.choice([*self.matrices, *self.matrices, *self.matrices, "a", "b"])
            case "vector":
                return self.rng.choice([*self.vectors, *self.vectors, "x"])
            case "name":
                return "q"
            case "window" | "other":
                return self.rng.choice(
                    ("1:", "1:", ":-1", ":-1") if kind == "window" else ("1:", ":-1", ":-1")
                )
            case "test":
                return self.chosen(TESTS, len(TESTS), depth)
            case _:
                forms, plain = {"number": (NUMBERS, 9), "of_rows": (COLUMNS, 7), "of_all": (WHOLE, 7)}[kind]
                return self.chosen(forms, plain, depth)

    def statement(self) -> None:
        """Write a statement."""
        self.budget -= 1
        kind = self.rng.random()
        if kind < 0.05 and not self.loops:
            self.kept_rows()
        elif kind < 0.12 and not self.rows:
            (self.user_tiles if self.columns else self.fluxes)()
        elif kind < 0.35 and self.loops < 3 and self.depth < 5:
            self.loop()
        elif kind < 0.42 and self.loops:
            self.branch()
        elif kind < 0.44 and self.loops:
            self.line(f"if {self.part('test', 1)}: {self.rng.choice(['break', 'continue', 'continue'])}")
        elif kind < 0.47:
            self.line("a, b = b, a" if self.rng.random() < 0.5 else "last, now, new = now, new, last")
        elif kind < 0.57 and self.loops < 2:
            self.named()
        elif self.rows and self.rng.random() < 0.8:
            self.line(self.fill(self.rng.choice(STORES)))
        elif self.columns:
            self.line(self.fill(self.rng.choice(OF_ROWS)))
        else:
            self.line(self.fill(self.rng.choice(OF_ALL)))

    def named(self) -> None:
        """Write an array that the program makes; one that is new is known at the outermost level alone."""
        is_matrix = self.rng.random() < 0.6
        known = self.matrices if is_matrix else self.vectors
        name = (
            self.fresh("w" if is_matrix else "v") if self.depth == 1 or not known else self.rng.choice(known)
        )
        text = self.rng.choice(NEW if is_matrix else NEW_VECTORS).replace("{name}", name)
        self.line(f"{name} = {self.fill(text)}")
        if self.depth == 1:
            known.append(name)

    def kept_rows(self) -> None:
        """Write a loop over levels with an array that one loop over rows alone uses, anew at each level or not."""
        own, i, j = (self.fresh(hint) for hint in ("own", "i", "j"))
        is_new = self.rng.random() < 0.5
        made = f"{own} = np.empty(len(x) + 1)"
        if not is_new:
            self.line(made)
        self.line(f"for {j} in range(m):")
        self.rows, self.columns = [i], [j]
        inner = [f"for {i} in range({'n' if self.rng.random() < 0.8 else '1, n'}):"]
        inner += [
            f"    if {'True' if is_new else f'{j} == 0'}: {own}[{i}] = {own}[{i} + 1] = {self.fill('{number}', 1)}"
        ]
        if self.rng.random() < 0.7:
            inner += [f"    {own}[{i}] = {own}[{i} + 1] + {self.fill('{number}', 1)}"]
        beside = f" + {own}[{i} - 1]" if self.rng.random() < 0.5 else ""
        inner += [
            f"    if {i} > {'1' if beside else '-1'}: {self.part('matrix', 0)}[{i}, {j}] = {own}[{i}]{beside}"
        ]
        for text in [made, *inner] if is_new else inner:
            self.line(f"    {text}")
        self.rows, self.columns = [], []

    def fluxes(self) -> None:
        """Write arrays that are filled in part, of which the next one reads several rows, and what the last one leaves behind."""
        known = ["a", "b"]
        for _ in range(self.rng.randint(1, 3)):
            name, windows = self.fresh("f"), self.windows()
            self.line(f"{name} = np.zeros_like(a)")
            for _ in range(self.rng.choice((1, 1, 1, 2))):
                one, other = self.rng.choice(known), self.rng.choice(known[-2:])
                operator = self.rng.choice("+-*-/")
                self.line(f"{name}[{windows()}] = {one}[{windows()}] {operator} {other}[{windows()}]")
            known.append(name)
        windows, change = self.windows(), self.rng.choice(("=", "+=", "-="))
        self.line(
            f"{self.rng.choice('ab')}[{windows()}] {change} {known[-1]}[{windows()}] - {known[-1]}[{windows()}]"
        )

    def cubes(self) -> None:
        """Write arrays of three axes that are filled in part, and read at lines and rows beside those that they are written at."""
        known = ["t", "t"]
        for _ in range(self.rng.randint(2, 5)):
            if self.rng.random() < 0.6:
                known.append(self.fresh("g"))
                self.line(
                    f"{known[-1]} = {self.rng.choice(('np.zeros_like(t)', 't * 0.5', 'np.ones_like(t)'))}"
                )
            windows = self.windows(with_levels=True)
            change, operator = self.rng.choice(("=", "=", "+=", "*=")), self.rng.choice("+-*-/")
            one, other = self.rng.choice(known), self.rng.choice(known[-2:])
            self.line(
                f"{self.rng.choice(known[-2:])}[{windows()}] {change} {one}[{windows()}] {operator} {other}[{windows()}]"
            )
            if self.rng.random() < 0.3:
                level = self.rng.choice(("0", "-1", "now"))
                self.line(
                    f"{known[-1]}[:, :, {level}] {change} {self.rng.choice('ab')} {operator} {one}[:, :, {level}]"
                )
        self.line(f"s = s + {known[-1]}.sum()")

    def windows(self, with_levels: bool = False) -> Callable[[], str]:
        """Return what gives parts of one size, along one axis or more."""
        columns = self.rng.choice(((":",), WINDOWS))
        levels = self.rng.choice(((":",), ("1:", ":-1"))) if with_levels else None
        last = (lambda: f", {self.rng.choice(levels)}") if levels else (lambda: "")
        return lambda: f"{self.rng.choice(WINDOWS)}, {self.rng.choice(columns)}{last()}"

    def user_tiles(self) -> None:
        """Write a loop over tiles of rows that computes with the places in them."""
        start, size, i = (self.fresh(hint) for hint in ("start", "size", "i"))
        self.line(f"for {start} in range(0, n, 3):")
        self.line(f"    {size} = min(n - {start}, 3)")
        self.line(f"    for {i} in range({start}, {start} + {size}):")
        self.rows = [i]
        place = f"{self.part('matrix', 0)}[{i}, {self.part('column', 0)}]"
        self.line(
            f"        {place} = {self.fill('{number}', 1)} + ({self.rng.choice((f'{i} - {start}', size, start))})"
        )
        self.rows = []

    def loop(self) -> None:
        """Write a loop along one of the axes."""
        is_row = bool(self.columns) if self.rng.random() < 0.8 else not self.columns
        name = self.fresh("i" if is_row else "j")
        known, size = (self.rows, "n") if is_row else (self.columns, "m")
        form = self.rng.choice(RANGES[:6] if self.rng.random() < 0.6 else RANGES)
        self.line(f"for {name} in range({form.replace('{size}', size)}):")
        known.append(name)
        self.loops += 1
        self.block(self.rng.randint(1, 3))
        self.loops -= 1
        known.remove(name)


def program(seed: int) -> str:
    """The source of random loops over levels."""
    made = Fields(random.Random(seed))
    halo = made.rng.choice((0, 2, 2, 2))
    for line in (f"n, m = a.shape[0] - {halo}, a.shape[1] - {halo}", "q = 0.0"):
        made.line(line)
    if seed % 3 == 2:
        made.cubes()
    for _ in range(made.rng.randint(0, 2)):
        made.named()
    while made.budget > 0:
        made.statement()
    names = ["s", "q", "a", *made.matrices, *made.vectors]
    made.line(f"return {', '.join(made.rng.sample(names, min(3, len(names))))}")
    return f"{HEADER}def f(a, b, t, x, k, now, last, new, lo, hi, d, s):\n" + "\n".join(made.lines) + "\n"


def arguments(seed: int) -> list[tuple[object, ...]]:
    """Arguments for some calls: several shapes, dtypes and layouts, special numbers, arrays that are one or overlap."""
    choose, rng = random.Random(seed), np.random.default_rng(seed)
    shapes = [(7, 6), (9, 5), (6, 6)]
    shapes += [
        choose.choice(one)
        for one in (((11, 4), (5, 8), (19, 5)), ((3, 5), (5, 3), (2, 2), (1, 1)), ((0, 3), (3, 0), (0, 0)))
    ]
    return [Call(choose, rng, n, m, number > 0).arguments() for number, (n, m) in enumerate(shapes)]


@dataclass
class Call:
    """The arguments for one call in the making.

    Args:
        choose: decides between a few things.
        rng: makes numbers.
        n: rows.
        m: columns.
        is_odd: some of the arguments may be of less common kinds.
    """

    choose: random.Random
    rng: np.random.Generator
    n: int
    m: int
    is_odd: bool

    def kind(self) -> float:
        """A number below one that decides; one where nothing odd is wanted."""
        return self.choose.random() if self.is_odd else 1.0

    def array(self, *shape: int) -> np.ndarray:
        """An array of some dtype, which lies in memory in some way."""
        found = self.rng.uniform(-1.0, 1.0, shape)
        if found.size and self.choose.random() < 0.1:
            found.reshape(-1)[self.rng.integers(found.size)] = self.choose.choice(SPECIAL)
        return self.laid_out(self.of_dtype(found))

    def of_dtype(self, array: np.ndarray) -> np.ndarray:
        """The array as one of some dtype."""
        kind = self.kind()
        if kind < 0.06:
            return array.astype(np.float32)
        if kind < 0.12:
            return np.nan_to_num(array * 3, posinf=5, neginf=-5).astype(self.choose.choice(["i8", "i4"]))
        return array > 0 if kind < 0.14 else array + 0.5j if kind < 0.16 else array

    def laid_out(self, array: np.ndarray) -> np.ndarray:
        """The array in Fortran's order, backwards, with gaps, or one that can't be written."""
        kind = self.kind()
        if kind < 0.1:
            return np.asfortranarray(array) if kind < 0.06 else array[::-1]
        if kind < 0.14:
            return np.repeat(array, 2, axis=array.ndim - 1)[..., ::2]
        array.flags.writeable = kind > 0.16
        return array

    def related(self, a: np.ndarray, b: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The first two arrays, which may be one, overlap, or be a part of another."""
        kind = self.kind()
        if kind < 0.05:
            return a, a
        if kind < 0.1:
            whole = self.array(self.n + 1, self.m)
            return whole[1:], whole[:-1]
        if kind < 0.14:
            return a, t[..., 1]
        if kind < 0.17:
            windows = np.lib.stride_tricks.as_strided
            return windows(self.rng.uniform(-1.0, 1.0, self.n + self.m), (self.n, self.m), (8, 8)), b
        return a, a.T if kind < 0.2 and self.n == self.m else b

    def arguments(self) -> tuple[object, ...]:
        """All arguments."""
        n, m = self.n, self.m
        t, x = self.array(n, m, 3), self.array(n)
        a, b = self.related(self.array(n, m), self.array(n, m), t)
        if m and self.kind() < 0.03:
            x = a[:, 0]
        k = self.rng.integers(0, max(1, min(n, m)), max(n, m, 1))
        times = self.choose.choice([(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 0, 1), (-1, 1, 0)])
        lo, hi = self.choose.choice([0, 0, 1, 2]), self.choose.choice([n, m, min(n, m), 0])
        return (
            a,
            b,
            t,
            x,
            k,
            *times,
            lo,
            hi,
            self.choose.choice([0, 1, 1, 2, -1]),
            self.choose.choice([0.5, 0.25, -1.0]),
        )


SPECIAL: Final = (0.0, -0.0, np.nan, np.inf)


@contextmanager
def short_turns(seed: int) -> Iterator[None]:
    """Let statements take few elements in a turn."""
    size = random.Random(seed).choice(SIZES)
    with (
        mock.patch.object(rows, "ELEMENTS", size),
        mock.patch.object(lines, "ELEMENTS", size),
        mock.patch.object(tiles, "TILE", size),
    ):
        yield


def compare(
    source: str, seed: int, way: variants.Variant | None, through_numba: bool
) -> tuple[list[str], str]:
    """What differs for one program, and what became of it; of two NaNs that meet, either may come out."""
    with short_turns(seed):
        return complex_numbers.compared(source, seed, way, arguments, through_numba)
