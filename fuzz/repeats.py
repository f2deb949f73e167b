"""Random programs that say nearly the same again and again.

What is said twice may be computed once, or before a loop, only where nobody can tell.  So a program is made of few expressions
and few constants, most of them equal and yet not the same (``1`` and ``True``, ``0.0`` and ``-0.0``).  They recur in
branches and in loops that need not run, while names are rebound, arrays are written, NumPy's settings change and
effects happen in between.

`program(rng)` gives the source of a module with a function ``f`` and ``arguments(call)``.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import Final

from fuzz.draft import Draft

HEADER: Final = '''"""A random program that says nearly the same again and again."""

import contextlib

import numpy as np

LOG = []


def say(tag, value):
    LOG.append((tag, value))
    return value


def counted(value, calls=[0]):
    calls[0] += 1
    return value + calls[0]


@contextlib.contextmanager
def managed(value, x, n):
    LOG.append("enter")
    try:
        yield value
    finally:
        LOG.append(x[n])


@contextlib.contextmanager
def either(x, n):
    if n > 1:
        yield n
    else:
        yield x
    x[n] += 1


def asking(get, x):
    for v in x:
        yield get(), v
    LOG.append(get())


@contextlib.contextmanager
def asked(get, x, n):
    try:
        yield get()
        LOG.append(x[n])
    finally:
        LOG.append(get())


class Managed:
    def __init__(self, x, n):
        self.x, self.n = x, n

    def __enter__(self):
        return self.x

    def __exit__(self, kind, error, trace):
        self.x[self.n] = 3.0


def upto(x, n):
    for i in range(n):
        yield i
    x[n] = 2.0


def told(value):
    return type(value), str(value), np.asarray(value).dtype


def arguments(call):
    """The arguments of a call: floats, integers and flags, of one type but for the last call."""
    x = np.array([[0.0, 1.0, -2.0], [1.5, 0.0, 1.0], [-0.0, 2.0, 2.0], [1.0, 1.0, 0.5]][call])
    y = np.array([[1, 0, 2], [0, 0, 1], [2, 1, 1], [3, 0, 1]][call])
    z = np.array([[True, False, True], [False, False, False], [True, True, True], [True, False, False]][call])
    s = [np.float64(1.0), np.float64(0.0), np.float64(-2.0), 2][call]
    t = [1.5, float("inf"), float("nan"), 2.0][call]
    return (x, y, z, s, t, [1, 0, 3, 2][call])


'''
PARAMETERS: Final = "x, y, z, s, t, n"

EQUALS: Final = (
    ("1", "True", "1.0"),
    ("0", "False", "0.0", "-0.0"),
    ("np.True_", "np.float32(1)", "np.int8(1)", "complex(1)", "1", "np.float64(1)"),
    ("0.0", "np.float64(-0.0)", "np.False_", "0j", "-0j", "-0.0"),
    ("2", "2.0", "np.float32(2)", "2j", "np.uint8(2)"),
    ("(1, 0)", "(True, 0)", "(1, False)", "(1.0, 0)", "(1, -0.0)", "[1, 0]", "(1, 'a')", "(1, b'a')"),
)
"""Constants that are equal, or nearly, and not the same."""

EXPRESSIONS: Final = (
    "x + {c}", "x * {c}", "y + {c}", "y * {c}", "z * {c}", "z | {c}", "y ** {c}", "{c} - z", "{c} * s", "s + {c}",
    "n + {c}", "n * {c}", "{c} / s", "n // {c}", "s ** {c}", "-{c} * s", "s - +{c}", "abs({c}) + n", "{c} == s", "a is None",
    "np.copysign(2.0, {c})", "np.copysign(x, {c})", "np.where(z, x, {c})", "np.where(z, y, {c})", "np.array([{c}, {c}])",
    "np.array({c})", "np.full(2, {c})", "np.full_like(x, {c})", "np.maximum({c}, y)", "np.minimum(x, {c})",
    "np.sum(y, initial={c})", "np.arange(3) * {c}", "np.multiply({c}, z)", "np.result_type({c}, np.int8)", "x @ (x * {c})",
    "[{c}, s]", "({c}, n)", "{{n: {c}}}", "{{{c}: n}}", "(n, ({c}, s))", "{c}, {e}", "[{e}, {c}]", "str({c})", "repr({c})",
    'f"{{{c}}} {{s}}"', "type({c})", "float(s) + {c}", "bool({c})", "{c} or s", "{c} and s", "s or {c}", "n and {c}",
    "(s if {c} else n)", "({c} if s else n)", "({c} if n > 1 else {c})", "({e} if n else {c})", "max({c}, n)", "min({c}, s)",
    "max({c}, {c})", "{c} in (n, 1, 0)", "n in ({c}, 3)", "not {c}", "{c} < n <= 2", "sorted([n, {c}])", "sum([n, {c}])",
    "t - t", "t * {c}", "t + n", "t - t in [a, *LOG]", "t * {c} in [b, *LOG]", "[t * {c}] == [a]", "t - t is a", "t / {c}", "n % {c}",
    "n // {c} + 1", "t // {c}", "int(t)", "divmod(n, {c})", "[n, s][n]", "np.sqrt(x)", "np.log(x)", "1 / x", "np.divide(y, {c})", "np.reciprocal(y)", "x[n]", "y[n % 3]", "x[1:]", "x[::-1] + {c}",
    "x.sum() * {c}", "x.copy()", "np.cumsum(x)", "np.sort(y)", "x.max() + {c}", "x.astype(np.float32)", "(x > {c}).any()",
    "x.tolist()", "str(x)", "[v + {c} for v in x]", "sum(v * {c} for v in y)", "dict.fromkeys([n], {c})", "(lambda q: q + {c})(s)",
    "say('e', {c})", "say('l', s) + {c}", "counted(n)", "counted({c}) * 0.5", "(a, {c})", "(b, a)", "[a, b, a]", "a is b", "a is not b",
    "a", "b", "c", "d", "np.shares_memory(np.asarray(a), x)", "hash({c})", "np.signbit({c})", "isinstance({c}, int)", "complex(s, n) * {c}",
    "s * {c} + 1j", "range(n)[:2]", "slice({c}, n)", "divmod(n, 2)[0] + {c}", "round(s, 1) + {c}", "np.round(x, 1)", "np.clip(y, 0, {c})",
)  # fmt: skip
"""Expressions: ``{c}`` stands for a constant, ``{e}`` for another expression.

None is made of numbers alone: which of those are one object is a matter of Python's compiler.
"""

RAISING: Final = (
    "x[n]",
    "[n, s][n]",
    "n // {c}",
    "(s, {c})[n]",
    "{{1: {c}}}[n % 3]",
    "int(t)",
    "divmod({c}, n)",
    "x[[n]]",
)
"""Expressions that raise for some arguments."""

TESTS: Final = (
    "n > 1", "s > 0", "x[0] > 0", "{c}", "z.any()", "not n", "n == {c}", "{c} == s", "z[0] and n", "y.sum() > 2", "a is b",
    "{c} < n", "bool({e})", "len(LOG) > 3", "isinstance(a, float)",
)  # fmt: skip
CHANGES: Final = (
    "LOG.append(get())", "c = get()", "put({c})", "put({e})",
    "x[0] = {c}", "x[n % 3] += 1.0", "x *= 2", "y[1] = n", "z[0] = not z[0]", "x = x.copy()", "y = y + {c}", "s = s + {c}",
    "n = n - 1", "n, s = abs(n) % 4, s * 0.5", "LOG.append({e})", "LOG.append({c})", "LOG.append(t - t)", "LOG.append(t * {c})", "print({c}, {e})", "say('s', {e})", "LOG.append(told({e}))", "LOG.append(told({e}))",
    "np.add(x, 1.0, out=x)", "x[1:] = x[:-1]", "w = x[1:]; w[0] = {c}", "y.sort()", "counted(1)", "a, b = b, a", "s = {c}",
    "LOG.clear()", "if {t}: return {e}", "assert n < 4, {e}", "if {t}: raise ValueError({c})",
)  # fmt: skip
HEADS: Final = (
    "if {t}:", "if {t}:", "for i in range(n):", "for i in range(2):", "for v in x:", "for q in ({c}, {c}):", "for i, q in enumerate([{c}, n]):",
    "with managed({c}, x, n) as q:", "with either(x, n) as q:", "with Managed(x, n) as q:", "for q in upto(x, n):", "for q in asking(get, y):", "with asked(get, x, n) as q:", "for q in map(lambda v: (v, get()), y):",
    "for q, r in ((v, a) for v in y):", "for q in filter(lambda v: b or v, y):", "for q in map(x.__getitem__, y):",
    "for q in (x[v] for v in y):", "for q, i in zip(x, range(n), strict=True):",
    "with np.errstate(all='ignore'):", "with np.errstate(divide='raise', invalid='raise'):", "with np.printoptions(precision=1):",
)  # fmt: skip
HANDLED: Final = (
    "(FloatingPointError, ArithmeticError, ValueError, LookupError)", "Exception", "(LookupError, ValueError)", "ArithmeticError",
)  # fmt: skip
NAMES: Final = ("a", "b", "c", "d")


@dataclass
class Repeats(Draft):
    """A program in the making.

    Args:
        forms: the expressions that it is made of.
        constants: so are these.
        loops: how many of the statements that stand around are loops.
    """

    budget: int = 12
    forms: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    loops: int = 0

    def __post_init__(self) -> None:
        self.forms = [*self.rng.sample(EXPRESSIONS, 5), self.rng.choice(RAISING)]
        (group,) = self.rng.choices(EQUALS, weights=(8, 8, 5, 5, 3, 1))
        pair = self.rng.sample(group, 2)
        self.constants = [*pair, *pair, *pair, self.rng.choice(EQUALS[self.rng.randrange(3)])]

    def constant(self) -> str:
        """One of the program's constants."""
        return self.rng.choice(self.constants)

    def expression(self, depth: int = 2) -> str:
        """One of the program's expressions."""
        return self.fill(self.rng.choice(self.forms), depth)

    def fill(self, form: str, depth: int = 1) -> str:
        """A form with its places filled in."""

        def part(match: re.Match[str]) -> str:
            if match[1] == "c":
                return self.constant()
            if match[1] == "t":
                return self.fill(self.rng.choice(TESTS))
            return f"({self.expression(depth - 1)})" if depth else "s"

        return re.sub(r"\{([cet])\}", part, form).replace("{{", "{").replace("}}", "}")

    def statement(self) -> None:
        self.budget -= 1
        kind = self.rng.random()
        if kind < 0.3 and self.depth < 4:
            self.compound()
        elif kind < 0.55:
            self.line(self.fill(self.rng.choice(CHANGES)))
        elif kind < 0.6 and self.loops:
            self.line(f"if {self.fill(self.rng.choice(TESTS))}: {self.rng.choice(['break', 'continue'])}")
        else:
            value = self.constant() if self.rng.random() < 0.3 else self.expression()
            self.line(f"{self.rng.choice(NAMES)} = {value}")

    def compound(self) -> None:
        if self.rng.random() < 0.4:
            self.choice() if self.rng.random() < 0.5 else self.attempt()
            return
        head = self.fill(self.rng.choice(HEADS))
        self.line(head)
        self.loops += head.startswith("for")
        self.suite()
        self.loops -= head.startswith("for")
        if not head.startswith("with") and self.rng.random() < 0.5:
            self.line("else:")
            self.suite()

    def choice(self) -> None:
        """A name that is bound in one way or another."""
        name = self.rng.choice(NAMES)
        self.line(f"if {self.fill(self.rng.choice(TESTS))}: {name} = {self.constant()}")
        self.line(f"else: {name} = {self.constant() if self.rng.random() < 0.7 else self.expression()}")

    def attempt(self) -> None:
        self.line("try:")
        self.suite()
        self.line(f"except {self.rng.choice(HANDLED)}:")
        self.suite()


def program(rng: random.Random) -> tuple[str, int]:
    """The source of a random program, and how many statements it has."""
    made = Repeats(rng)
    made.line(f"a, b, c, d = {made.constant()}, {made.constant()}, {made.constant()}, {made.constant()}")
    if made.rng.random() < 0.5:
        made.line("get, put = lambda: a, LOG.append")
    else:
        made.line("def get(): return a, b")
        made.line("def put(value):")
        made.line(f"    nonlocal {made.rng.choice(NAMES)}")
        made.line(f"    {made.lines[-1].split()[-1]} = value")
    while made.budget > 0:
        made.statement()
    told = made.rng.random() < 0.5  # what nobody gets hold of may be shared
    result = "told(a), told(b), told(c), told(d)" if told else "a, b, c, d"
    made.line(f"return {result}, {made.expression()}, told({made.expression()})")
    return f"{HEADER}def f({PARAMETERS}):\n" + "\n".join(made.lines) + "\n", len(made.lines)
