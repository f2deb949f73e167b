"""Random programs about closures, and about when the names in them are looked up.

Functions are made in comprehensions, generator expressions, loops, branches, handlers and class bodies; the names that
they read change afterwards, and they are called then: at once, in another order, from a generator that is asked late.

`program(rng)` gives the source of a module with a function ``f`` and ``arguments(call)``.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from fuzz.grammar import Grammar, Written, whole

HEADER: Final = '''"""A random program about closures."""

import functools
import operator

import numpy as np

LOG = []
G = 2


def make(i):
    return lambda v: v * i


def say(tag, value):
    LOG.append((tag, value))
    return value


def asked(functions, v):
    for function in functions:
        yield function(v)


def opaque(value):
    locals()
    return value


def arguments(call):
    """The arguments of a call."""
    x = np.array([[0.0, 1.0, -2.0], [1.5, 0.0, 1.0], [-0.0, 2.0, 2.0], [1.0, 1.0, 0.5]][call])
    s = [1.5, float("nan"), 0.0, np.float64(2.0)][call]
    return (x, s, [1, 0, 3, 2][call], [[1, 2, 3], [], [2.5], [True, 4]][call])


'''
PARAMETERS: Final = "x, s, n, p"

FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "h": (
        "[{g} for i in {y}]", "[{g} for i in range(3)]", "[{g} for i in range(3)]", "[{g} for i in range(n)]", "({g} for i in range(3))", "({g} for i in {y})",
        "[{g} for i in {y} if {t}]", "[{g} for i in range(2) for j in range(n)]", "[{g} for i in range(2) for c in range(2)]", "{{i: {g} for i in range(3)}}.values()",
        "[({g}, {g})[n % 2] for i in range(3)]", "[[{g} for j in range(2)] for i in range(2)][-1]", "[make(i) for i in {y}]", "[make(i) for i in range(3)]",
        "(lambda i: [{g}, {g}])(n)", "[(lambda i: {g})(i) for i in range(3)]", "list(map(lambda i: {g}, {y}))", "[(c := i, {g})[1] for i in range(3)]",
        "[functools.partial(operator.mul, i) for i in range(3)]", "[{g} if {t} else {g} for i in range(3)]", "({g}, {g})", "[{g}] * 2", "[*fs, {g}]", "[g for g in fs]",
        "[g for g in [{g} for i in range(3)] if g(n) != 1]", "(g for g in [{g} for i in range(2)])", "[opaque({g}) for i in range(3)]", "[{g} for i, j in enumerate({y})]",
        "[{g} for [i, *j] in [(n, 1), (2, s)]]", "list({g} for i in range(3))", "tuple([{g} for i in range(3)])", "fs", "[fs[0], *fs]", "dict(a={g}).values()",
    ),
    "g": (
        "lambda v: v * i", "lambda v: v * i", "lambda v: v + c", "lambda v, i=i: v + i", "lambda v: (v, i, c)", "lambda v, *a: v + s", "lambda v: i", "lambda v: say('g', v + i)",
        "lambda v: [w + i for w in range(2)]", "lambda v: (lambda w: w + i + v)(c)", "lambda v: x[i]", "lambda v: j", "lambda v: v if {t} else i", "lambda v, c=c: v + c",
        "lambda v: sum(w * c for w in p)", "lambda v: G * v", "functools.partial(lambda i, v: v - i, i)", "make(i)", "lambda v: v @ x if v is x else v", "lambda v: [k for k in range(i)]",
        "lambda v, k=[]: k.append(v) or k", "lambda v: len(fs)", "lambda v: (i := v) + c", "g",
    ),
    "y": ("p", "p", "range(n)", "x", "[n, c]", "(1, s)", "x.tolist()", "(i for i in p)", "enumerate(p)", "reversed(p)", "{{1: 2}}", "[i for i in p]"),
    "v": (
        "n", "s", "c", "[g({v0}) for g in fs]", "[g({v0}) for g in fs]", "[g({v0}) for g in {h}]", "[g({v0}) for g in {h}]", "sum(g({v0}) for g in {h})", "list(g({v0}) for g in {h})",
        "[g(v) for g in {h} for v in {y}]", "[[g(v) for g in {h}] for v in range(2)]", "{{g(n) for g in {h}}}", "{{i: g({v0}) for i, g in enumerate({h})}}", "list(asked({h}, {v0}))",
        "max({h}, key=lambda g: g(n))(2)", "fs[0]({v0})", "fs[-1]({v0})", "list(map(lambda g: g({v0}), {h}))", "[*{h}][-1]({v0})", "next(iter({h}))({v0})", "g({v0})", "g({v0})", "h({v0})",
        "any(g({v0}) for g in {h})", "[g({v0}) for g in {h} if g(n)]", "functools.reduce(lambda a, g: g(a), {h}, n)", "list(late)", "next(late, None)", "[*late]", "[v + c for v in p]", "i", "j",
        "sorted(fs, key=lambda g: repr(g(1)))[0](n)", "(lambda: c)()", "({g})({v0})", "C.k", "C.got", "C.m(1)", "opaque({v})", "[(g := h)(n) for i in range(2)]", "len(fs)", "k()", "[k(), k()]",
    ),
    "v0": ("n", "s", "2", "c", "x", "1.5", "v", "i"),
    "t": ("n > 1", "s > 0", "c", "x[0] > 0", "i", "i > 0", "i % 2", "p", "isinstance(s, float)", "n"),
}  # fmt: skip
"""Expressions, by what they give: functions in a row, functions, iterables, values, simple values, tests."""

CHANGES: Final = (
    "fs = {h}", "fs = {h}", "fs = [*{h}]", "fs = [*{h}]", "fs = fs[::-1]", "fs.append({g})", "fs.append({g})", "fs += [{g}]", "g = {g}", "g = {g}", "g, h = h, g", "h = fs[0]", "h = {g}",
    "c = {v}", "c += 1", "c = n", "i = {v0}", "i = 5", "j = 7", "a = {v}", "a = {v}", "b = {v}", "b = {v}", "LOG.append({v})", "LOG.append({v})", "print({v})", "s = n", "n = 2", "p = [4, n]", "p.append(c)",
    "late = (v + c for v in {y})", "late = (g({v0}) for g in {h})", "late = (lambda: (yield c))()", "late = ((v, c) for v in {y} if {t})", "G_ = [lambda v: v + G for i in range(2)]", "del i", "del c",
    "if {t}: return {v}", "x = x + 1", "x[0] = c", "a = [g(n) for g in (lambda v: v * i for i in range(3))]", "fs[0] = {g}", "opaque(n)", "opaque(fs)", "globals()['G'] = 3", "[c := c + i for i in range(2)]",
)  # fmt: skip
HEADS: Final = (
    "if {t}:", "if {t}:", "for i in range(3):", "for i in {y}:", "for i in range(n):", "for g in fs:", "for c in range(2):", "for i, j in enumerate({y}):", "for g in {h}:", "for v in late:",
    "while c and len(LOG) < 9 and len(fs) < 6:", "with np.errstate(all='ignore'):", "for j in range(2):",
)  # fmt: skip
ERRORS: Final = ("Exception", "NameError", "(TypeError, ValueError)", "(IndexError, TypeError)")
GRAMMAR: Final = Grammar(
    FORMS,
    CHANGES,
    HEADS,
    ERRORS,
    simple={"v": "n", "h": "[lambda v: v * i for i in range(3)]", "g": "lambda v: v + i", "y": "range(2)"},
    sizes={"v": 5, "h": 4, "g": 4, "v0": 3, "t": 3, "y": 3},
    handled="LOG.append((type(error).__name__, str(error), getattr(error, 'name', None)))",
)


class Closures(Written):
    """A program in the making."""

    def named(self) -> None:
        """A function of its own that reads, and perhaps binds, what stands around it."""
        self.line("def k():")
        self.depth += 1
        if self.rng.random() < 0.6:
            self.line("nonlocal c")
            self.line(
                self.rng.choice(
                    ["c += 1", "c = [g(n) for g in fs]", "c = [lambda: c for i in range(2)][0]() + 1"]
                )
            )
        else:
            self.line(
                self.rng.choice(["fs.append(lambda v: (v, c, i))", "say('k', c)", "c = [v + n for v in p]"])
            )
        self.line(self.text("return c, {v}"))
        self.depth -= 1

    def enclosed(self) -> None:
        """A class whose body makes functions, some in comprehensions."""
        self.line("class C:")
        self.depth += 1
        self.line("k = n")
        self.line("c = 'of the class'")
        self.line("got = [g(1) for g in [lambda v: (v, i, c) for i in range(2)]]")
        self.line(
            self.rng.choice(
                ["m = staticmethod(lambda v: (v, c))", "m = [lambda v: v + i for i in range(3)][n % 3]"]
            )
        )
        if self.rng.random() < 0.4:
            self.line("m = staticmethod(m)")
        self.depth -= 1


def program(rng: random.Random) -> tuple[str, int]:
    """The source of a random program, and how many statements it has."""
    made = Closures(rng, grammar=GRAMMAR)
    made.line("a, b, c, i, fs, late = None, None, 1, 4, [lambda v: v], iter(())")
    made.line("g = h = lambda v: (v, c)")
    if rng.random() < 0.5 or any("k()" in form for form in made.forms["v"]):
        made.named()
    if any(form.startswith("C.") for form in made.forms["v"]):
        made.enclosed()
    while made.budget > 0:
        made.statement()
    made.line("i = 9")
    made.line(f"return a, b, [g(n) for g in fs], {made.text('{v}')}, {made.text('{v}')}")
    return whole(HEADER, PARAMETERS, made)
