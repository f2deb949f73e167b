"""Random programs about which object a value is.

What comes in, is put somewhere, taken out again, and goes out is the object that it was, of types that can't change as well:
tuples, texts, bytes, numbers, a NaN.  What is made anew is another one.  Two equal arguments stay two.

`program(rng)` gives the source of a module with a function ``f`` and ``arguments(call)``.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from fuzz.grammar import Grammar, Written, whole

HEADER: Final = '''"""A random program about identity."""

import copy
import functools
import itertools
import math
import operator
from typing import Any, NamedTuple

import numpy as np

LOG = []
NAN = float("nan")


class Pair(NamedTuple):
    left: Any
    right: Any = None


class Box:
    def __init__(self, v):
        self.v = v

    def same(self, other):
        return self.v is other


def which(v, w, c):
    if c:
        return v
    return w


def walk(items):
    for item in items:
        yield item


def opaque(value):
    locals()
    return value


def arguments(call):
    """The arguments of a call; ``t`` and ``u`` are equal, and two in most calls."""
    t = tuple([call, 1.5, "a" * (call + 2)])
    u = tuple([call, 1.5, "a" * (call + 2)]) if call != 1 else t
    c = "".join(["ab", str(call)])
    b = bytes([call, 7, 9])
    s = [float("1.25"), float("nan"), float("-0.0"), np.float64(2.5)][call]
    w = [float("1.25"), s, float("nan"), np.float64(2.5)][call]
    k = [10**20, -(10**19), 10**18 + 1, True][call]
    return (t, u, c, b, s, w, k, [1, 0, 3, 2][call])


'''
PARAMETERS: Final = "t, u, c, b, s, w, k, n"

FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "o": ("t", "u", "c", "b", "s", "w", "k", "t", "s", "w", "a", "e", "NAN"),
    "v": (
        "{o}", "{o}", "t[0:]", "t[:]", "tuple({o})", "tuple([*t])", "str(c)", "c[:]", "c.strip()", "c.replace('q', 'r')", "c + ''", "'' + c", "c * 1", "''.join([c])", "f'{{c}}'", "'%s' % c", "format(c)", "bytes(b)", "b[:]", "b + b''", "b''.join([b])", "t + ()", "() + t", "t * 1", "(*t,)", "c.lower()",
        "float(s)", "+s", "s * 1", "s + 0", "abs(s)", "int(k)", "+k", "k + 0", "k // 1", "abs(k)", "round(k)", "operator.index(k)", "float(w)", "copy.copy({o})", "copy.deepcopy({o})", "float('nan')", "math.nan", "np.float64(s)", "np.nan", "s - s", "complex(s)", "Pair({o}, {o})", "Pair({o}).left", "Pair(left={o})[0]",
        "[{o}, {o}][n % 2]", "({o}, {o})[n % 2]", "{{'a': {o}}}['a']", "{{'a': {o}}}.get('b', {o})", "{{n: {o}}}.setdefault(n, {o})", "{{n: {o}}}.pop(n)", "which({o}, {o}, n)", "which(t, u, s > 0)", "opaque({o})", "({o} if n else {o})", "({o} or {o})", "({o} and {o})", "(lambda v: v)({o})", "(lambda *v: v)(*t)", "(lambda *v: v[0])({o}, 1)",
        "(lambda v={o}: v)()", "(lambda **d: d)(v={o})['v']", "next(iter([{o}]))", "next(walk([{o}]))", "[*walk(t)][-1]", "max({o}, {o})", "min(s, w)", "max([t, u])", "sorted([t, u])[0]", "sorted([s, w])", "sorted({{{o}, {o}}}, key=repr)[0]", "list({{t, u}})[0]", "list({{t: s, u: w}}.items())[0]", "functools.reduce(which3, [t, u])", "t[-1]", "t[1]",
        "tuple(v for v in t)", "[v for v in t][-1]", "[v for v in (s, w) if v == v]", "[({o}, v) for v in range(2)]", "Box({o}).v", "list(zip(t, u))[1]", "list(itertools.chain(t))[2]", "list(map(lambda v: v, t))[2]", "operator.itemgetter(1)(t)", "operator.add(t, ())", "sum([t], ())", "frozenset(t)", "(a := {o})", "np.array([s])[0]", "[{o}] * 2", "t.__class__(t)", "[s].copy()[0]", "t[n % 3]",
    ),
    "q": (
        "{v} is {o}", "{v} is {v}", "{v} is {o}", "{v} is not {o}", "t is u", "s is w", "{o} is {o}", "a is {o}", "e is {o}", "s in [s]", "s in [w]", "s in (w, s)", "[s] == [w]", "(s,) == (w,)", "[s] == [s]", "s == s", "t == u", "(t, s) == (u, w)", "{{'a': s}} == {{'a': w}}", "[s, w].index(w)", "[s, w, s].count(s)", "a == a", "a in [a]", "[a] == [a]", "{{s: 1}}.get(w)",
        "{{s: 1}}.get(s)", "{{a: n}}.get(a)", "len({{s, w}})", "len({{t, u}})", "NAN in [NAN, s]", "[NAN] == [s]", "operator.is_({v}, {o})", "id({o}) == id({o})", "Box({o}).same({o})", "Pair({o}).left is {o}", "float('nan') in [float('nan')]", "x is x", "hash(s) == hash(s)", "math.isnan(a) and a is a", "list(walk([{o}]))[0] is {o}", "[v is {o} for v in ({o}, {o})]", "any(v is {o} for v in (t, u, s))",
    ),
    "t": ("n > 1", "s > 0", "n", "t is u", "s == s", "a is s", "s in [w]", "c", "k > 0"),
}  # fmt: skip
"""Expressions, by what they give: names, values, questions about identity, tests."""
CHANGES: Final = (
    "a = {v}", "a = {v}", "e = {v}", "e = {v}", "a, e = {v}, {v}", "a, e = e, a", "LOG.append({q})", "LOG.append({q})", "LOG.append({q})", "LOG.append({q})", "x.append({v})", "x.append({v})", "x[0] = {v}", "d['a'] = {v}", "d[n] = {o}", "a = d['a']", "a = x[-1]", "a = x.pop()", "box.v = {v}", "a = box.v", "t = {v}", "u = t", "s = {v}", "w = s", "t, u = u, t",
    "if {t}: return {v}", "print({q})", "a = s * 2.0", "a = float('nan')", "e = a", "opaque(a)", "x = [*x, {o}]", "d = {{**d, 'b': {o}}}", "a, *e = t", "a = [v for v in x if v is not {o}]", "s += 0", "t += ()", "c += ''", "a = globals()['NAN']", "x.extend(t)", "x.insert(0, {o})", "box = Box({v})", "assert {t}, {v}", "def g(v={o}): return v", "a = g({o})", "a = g()",
)  # fmt: skip
HEADS: Final = (
    "if {t}:",
    "if {t}:",
    "if {q}:",
    "for a in (t, u):",
    "for a in t:",
    "for i in range(n):",
    "for e in x[:3]:",
    "for a, e in zip(t, u):",
    "for i in range(2):",
    "for a in walk([{o}, {o}]):",
)
GRAMMAR: Final = Grammar(
    FORMS,
    CHANGES,
    HEADS,
    ("Exception", "(TypeError, ValueError)", "LookupError"),
    simple={"v": "t", "q": "t is u"},
    sizes={"v": 7, "o": 5, "q": 4, "t": 3},
)


def program(rng: random.Random) -> tuple[str, int]:
    """The source of a random program, and how many statements it has."""
    made = Written(rng, grammar=GRAMMAR)
    made.line("a, e, x, d, box = None, s, [t, s], {'a': c}, Box(w)")
    made.line(f"def g(v={rng.choice('tucbswk')}): return v")
    made.line("which3 = lambda v, w: w")
    while made.budget > 0:
        made.statement()
    made.line(f"return a, e, x, d, box, {made.text('{v}')}, {made.text('{v}')}, {made.text('{q}')}")
    return whole(HEADER, PARAMETERS, made)
