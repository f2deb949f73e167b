"""Random programs that call operators as functions, those in place as well, on lists, dicts, sets, arrays and objects.

`program(rng)` gives the source of a module with a function ``f`` and ``arguments(call)``.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from fuzz.grammar import Grammar, Written, whole

HEADER: Final = '''"""A random program about operators as functions."""

import collections
import functools
import itertools
import operator
import operator as op
from operator import add, attrgetter, contains, countOf, delitem, getitem, iadd, iconcat, imul, indexOf, ior, isub, itemgetter, length_hint, methodcaller, mul, neg, not_, setitem, truth

import numpy as np

LOG = []
KEPT = [0]


class Number:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        LOG.append("add")
        return Number(self.v + getattr(other, "v", 1))

    def __iadd__(self, other):
        LOG.append("iadd")
        self.v += 1
        return self

    def __mul__(self, other):
        return NotImplemented

    def __rmul__(self, other):
        return self.v

    def __eq__(self, other):
        return isinstance(other, Number) and self.v == other.v

    def __len__(self):
        return 2

    def __index__(self):
        return 1


def abs(v):
    from operator import abs

    return abs(v)


def index(v):
    from operator import index

    return index(v)


def opaque(function, *given):
    locals()
    return function(*given)


def arguments(call):
    """The arguments of a call."""
    p = [[1, 2, 3], [2.0, 1.0], [], [True, 1, 2.5]][call]
    x = np.array([[0.0, 1.0, -2.0], [1.5, 0.0, 1.0], [-0.0, 2.0, 2.0], [1.0, 1.0, 0.5]][call])
    return (p, x, {"a": call}, Number(call), [1.5, 2, 0.0, np.float64(2.0)][call], [1, 0, 3, 2][call])


'''
PARAMETERS: Final = "p, x, d, m, s, n"
IN_PLACE: Final = (
    "iadd",
    "isub",
    "imul",
    "ior",
    "iand",
    "ixor",
    "iconcat",
    "itruediv",
    "ifloordiv",
    "imod",
    "ipow",
    "imatmul",
    "ilshift",
    "irshift",
)
BINARY: Final = (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "and_",
    "or_",
    "xor",
    "lshift",
    "rshift",
    "concat",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "is_",
    "is_not",
    "contains",
    "countOf",
    "indexOf",
    "getitem",
    "__add__",
    "__eq__",
)
UNARY: Final = (
    "neg",
    "pos",
    "abs",
    "inv",
    "invert",
    "not_",
    "truth",
    "index",
    "length_hint",
    "__neg__",
    "__not__",
)
FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "o": ("p", "q", "x", "d", "e", "u", "m", "s", "n", "a", "w", "q", "p", "x", "q[0]", "h[0]"),
    "g": (*(f"operator.{name}" for name in IN_PLACE), "iadd", "iadd", "isub", "imul", "ior", "iconcat", "op.iadd"),
    "f": (*(f"operator.{name}" for name in BINARY), "add", "mul", "op.add", "contains", "countOf", "getitem"),
    "k": (*(f"operator.{name}" for name in UNARY), "abs", "index", "neg", "not_", "truth", "length_hint"),
    "v": (
        "n", "s", "{o}", "{o}", "[n]", "[n, s]", "{{'b': n}}", "{{n}}", "(1, n)", "{g}({o}, {v})", "{g}({o}, {v})", "{g}({o}, {v})", "{f}({o}, {v})", "{f}({o}, {v})", "{f}({o}, {o})", "{k}({o})", "{k}({o})", "{g}([n], {v})", "{g}([n], [s])", "{g}({o}, {o})", "{f}({o})", "{k}({o}, {v})", "opaque({g}, {o}, {v})",
        "opaque({f}, {o}, {v})", "opaque({k}, {o})", "functools.reduce({f}, {o})", "functools.reduce({g}, [[], p, [n]])", "functools.reduce({g}, [p, [n]], q)", "list(map({f}, p, p))", "list(map({k}, p))", "list(itertools.accumulate(p, {f}))", "list(itertools.starmap({f}, [(n, s)]))", "functools.partial({g}, {o})({v})", "functools.partial({f}, n)(s)",
        "itemgetter({i})({o})", "itemgetter({i}, {i})({o})", "itemgetter('a')(d)", "itemgetter(slice(1))(p)", "attrgetter('v')(m)", "attrgetter('v.real', 'v')(m)", "attrgetter('shape')(x)", "methodcaller('sum')(x)", "methodcaller('pop')(q)", "methodcaller('append', n)(q)", "methodcaller('get', 'a', 0)(d)", "operator.call({k}, {o})", "operator.call(len, p)",
        "(lambda o: o(p, [n]))({g})", "[o(n, 2) for o in (operator.add, operator.mul, max)]", "[o(q, [i]) for i, o in enumerate((iadd, operator.add))]", "{{'+': operator.add, '+=': iadd}}['+='](q, {v})", "({g} if n else {f})({o}, {v})", "max(p, key=operator.neg, default=0)", "sorted(p, key=itemgetter(0))", "isinstance({o}, list)", "{v} is {o}", "p is q",
        "getattr(operator, 'iadd')(q, [n])", "operator.setitem({o}, {i}, {v})", "operator.delitem({o}, {i})", "operator.iadd(m, 1) is m", "operator.add.__name__", "operator.attrgetter('nope')(m)", "repr({o})[:3]", "operator.is_none(n)", "x.tolist()", "(i for i in p).__next__()", "operator.not_(a)",
    ),
    "i": ("0", "-1", "n", "'a'", "1", "slice(1)", "'b'", "n % 2"),
    "t": ("n > 1", "truth({o})", "not_({o})", "{f}(n, 1)", "contains({o}, 1)", "s > 0", "operator.eq({o}, {o})", "operator.lt(n, s)", "p", "a is p"),
}  # fmt: skip
"""Expressions, by what they give: names, functions in place, of two, of one, values, indices, tests."""
CHANGES: Final = (
    "{g}({o}, {v})", "{g}({o}, {v})", "{g}(q, {v})", "{g}(q, [n])", "iadd(q, [n])", "iadd(p, {v})", "q = {g}(q, {v})", "p = {g}(p, {v})", "a = {g}(q, {v})", "a = {v}", "a = {v}", "w = {v}", "d = {g}(d, {v})", "e = ior(e, d)", "u = ior(u, {v})", "setitem({o}, {i}, {v})", "setitem(q, {i}, {v})", "delitem({o}, {i})", "delitem(q, {i})", "x = {g}(x, {v})", "iadd(x, {v})", "imul(x, 2)", "iadd(x[1:], {v})",
    "m = iadd(m, n)", "iadd(m, {v})", "a = iadd(KEPT, [n])", "iadd(h[0], [n])", "h[0] = iadd(h[0], {v})", "iadd(h, [[n]])", "LOG.append({v})", "LOG.append({v})", "print({v})", "q = [n]", "q = p", "p, q = q, p", "n = operator.iadd(n, 1)", "s = operator.imul(s, 2)", "if {t}: return {v}", "o = {g}", "a = o({o}, {v})", "o = {f}", "a = abs(n)", "opaque(iadd, q, [n])", "iconcat(q, {v})", "methodcaller('append', {v})(q)",
    "for i in p[:2]: iadd(q, [i])", "a = operator.iadd([], {v})", "setitem(x, n, 5)", "setitem(x, slice(1), 2)", "setitem(KEPT, 0, n)", "x[0] = operator.add(x[0], n)",
)  # fmt: skip
HEADS: Final = (
    "if {t}:",
    "if {t}:",
    "if {t}:",
    "for i in range(n):",
    "for i in range(2):",
    "for i in p[:3]:",
    "for o in ({g}, {f}):",
    "while operator.gt(n, 0) and (n := operator.sub(n, 1)) >= 0:",
    "for a in x:",
    "with np.errstate(all='ignore'):",
)
GRAMMAR: Final = Grammar(
    FORMS,
    CHANGES,
    HEADS,
    ("Exception", "(TypeError, ValueError)", "(LookupError, TypeError)", "(AttributeError, TypeError, ValueError, LookupError)"),
    simple={"v": "n", "t": "n"},
    sizes={"v": 6, "o": 6, "g": 4, "f": 4, "k": 3, "t": 3, "i": 3},
)  # fmt: skip


def program(rng: random.Random) -> tuple[str, int]:
    """The source of a random program, and how many statements it has."""
    made = Written(rng, grammar=GRAMMAR)
    made.line("a, w, q, e, u, h, o = None, 0, [n], {'b': n}, {n, 7}, [[n], []], operator.add")
    while made.budget > 0:
        made.statement()
    made.line(
        f"return a, w, p, q, d, e, sorted(u, key=repr) if isinstance(u, set) else u, h, m, x, {made.text('{v}')}"
    )
    return whole(HEADER, PARAMETERS, made)
