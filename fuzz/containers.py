"""Random programs about Python's containers.

A program has a few lists, dicts, sets, deques and records, under several names and one within another, and few forms that
read, change and walk them, so that these meet often: a list that changes while it is walked, a view of a dict
that grows, an iterator that is taken in part and used twice, a target that is evaluated before its value.
No container gets into itself: rows hold flat containers, flat ones hold what does not change.

`program(rng)` gives the source of a module with a function ``f`` and ``arguments(call)``.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from fuzz.grammar import Grammar, Written, whole

HEADER: Final = '''"""A random program about containers."""

import collections
import copy
import functools
import itertools
import operator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

LOG = []
ITEMS = [3, 1, 2]
TABLE = {"a": 1, "b": 2.0}


class Pair(NamedTuple):
    left: Any
    right: Any = 0


@dataclass
class Box:
    items: list = field(default_factory=list)
    count: int = 0


def say(tag, value):
    LOG.append((tag, value))
    return value


def walk(items):
    for item in items:
        LOG.append("turn")
        yield item
    LOG.append("end")


def keep(value, kept=[]):
    kept.append(value)
    return kept


def arguments(call):
    """The arguments of a call; some are one object, or hold one another."""
    p = [[1, 2, 3], [2.0, 1.0], [0], [True, 1, "a", 2.5]][call]
    d = [{"a": 1, 1: 2}, {"a": 2.0, "b": 1.0}, {}, {"b": 1, "a": "b", 2: 0}][call]
    r = Box([p, [1], p, []][call], call)
    x = np.array([[0.0, 1.0, -2.0], [1.5, 0.0, 1.0], [-0.0, 2.0, 2.0], [1.0, 1.0, 0.5]][call])
    s = [1.5, float("nan"), 0.0, np.float64(2.0)][call]
    return (p, d, r, x, s, [1, 0, 3, 2][call])


'''
PARAMETERS: Final = "p, d, r, x, s, n"
START: Final = (
    "q = {l}", "e = {d}", "u = {u}", "w = collections.deque({y})", "h = [{l}, p]", "o = {{'a': {l}, {k}: p}}", "j = {j}",
)  # fmt: skip

FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "l": (
        "[{v}, {v}]", "[]", "[{v}]", "p", "q", "p[:]", "p[{i}:]", "q[::-1]", "p[{i}:{i}]", "p + [{v}]", "[*p, {v}]", "[*q, *{y}]",
        "list({y})", "(p + q)[:4]", "p[:2] * 2", "r.items", "h[{i}]", "sorted({y})", "sorted({y}, key={f})", "sorted(p, key={f}, reverse=True)",
        "[v for v in {y}]", "[v for v in {y} if {t}]", "[(i, v) for i, v in enumerate({y})]", "[v for v in {y} for i in range(n)][:4]",
        "[v for row in h for v in row][:4]", "copy.copy(p)", "copy.deepcopy(q)", "p.copy()", "[*map({f}, {y})]",
        "list(zip(p, q))", "list(zip({y}, {y}))", "list(zip(p, q, strict=True))", "list(reversed(p))", "list(enumerate(q, {i}))",
        "list(d.items())", "x.tolist()", "list(x)", "list(itertools.islice({y}, {i}))", "list(itertools.islice({y}, 1, None, 2))",
        "list(itertools.chain(p, {y}))", "list(itertools.accumulate({y}))", "list(itertools.accumulate(p, {g}, initial={v}))",
        "list(itertools.islice(itertools.product(p, {y}), 3))", "list(itertools.pairwise({y}))", "[k for k, v in itertools.groupby({y}, {f})]",
        "[(k, len(list(v))) for k, v in itertools.groupby(sorted(p, key=str))]", "list(filter(None, {y}))", "[v for v in p if v not in q]",
        "list(itertools.zip_longest(p, {y}))", "(p or q)", "(p and q)", "(p if {t} else q)", "[tuple(p), {v}]", "list(dict.fromkeys({y}))",
        "o.get({k}, p)", "o.setdefault({k}, q)", "d.setdefault('l', [1])", "[None] * len(p)", "list(walk({y}))", "[say('c', v) for v in p]",
        "list(itertools.takewhile({f}, {y}))", "list(itertools.starmap(divmod, [(n, 2)]))", "keep(n)", "[lambda: n, len][1:]", "ITEMS",
    ),
    "d": (
        "{{}}", "{{{k}: {v}}}", "{{{k}: {v}, {k}: {v}}}", "d", "e", "{{**d, {k}: {v}}}", "{{{k}: {v}, **e}}", "d | e", "dict(d)", "d.copy()", "copy.copy(e)",
        "{{k: v for k, v in d.items()}}", "{{v: i for i, v in enumerate({y})}}", "{{k: v for k, v in d.items() if k in e}}", "dict(zip({y}, {y}))",
        "dict.fromkeys({y}, {v})", "dict(e, a={v})", "{{v: k for k, v in e.items()}}", "collections.Counter({y})", "dict(enumerate({y}))", "TABLE",
        "collections.OrderedDict(d)", "dict(sorted(e.items(), key=str))", "vars(r).copy()", "collections.defaultdict(int, d)", "Pair({v})._asdict()",
    ),
    "u": (
        "set({y})", "{{{v}, {v}}}", "u", "u | {{{k}}}", "u & set({y})", "{{v for v in {y}}}", "set(d)", "d.keys() & e.keys()", "u - {{{k}}}", "u ^ set(p)",
        "frozenset({y})", "set()", "{{*p, *u}}", "u.union({y})", "u.difference({y})", "set(e.items())", "d.keys() | {y}",
    ),
    "j": (
        "iter({y})", "(v for v in {y})", "(v for v in {y} if {t})", "enumerate({y})", "zip(p, {y})", "reversed(p)", "map({f}, {y})", "filter(None, p)",
        "walk({y})", "itertools.chain(p, q)", "itertools.islice(p, 2)", "iter(d.items())", "zip(p, q, strict=True)", "itertools.islice(itertools.cycle({y}), 4)",
        "zip(itertools.count({i}), p)", "(say('g', v) for v in p)", "itertools.accumulate(p)", "itertools.chain.from_iterable(h)", "itertools.repeat({v}, 3)",
    ),
    "y": (
        "p", "q", "p", "d", "e", "u", "w", "d.items()", "e.values()", "d.keys()", "range(n)", "range(3)", "x", "h[0]", "'ab'", "r.items", "({v}, {v})",
        "reversed(q)", "enumerate(p)", "zip(p, q)", "itertools.islice(j, 2)", "walk(p)", "map({f}, p)", "p[1:]", "[{v}, {v}]", "Pair({v}, {v})",
        "sorted(p, key=str)", "range(n, -1, -1)", "o", "iter(p)", "tuple(q)", "ITEMS", "TABLE",
    ),
    "v": (
        "n", "s", "{i}", "'a'", "1.0", "None", "n + 1", "s * 2", "p[{i}]", "q[-1]", "d[{k}]", "e.get({k})", "d.get({k}, {i})", "len({y0})", "w[{i}]", "w[-1]",
        "h[{i}][{i}]", "sum({y})", "max({y})", "min(p, default={v})", "max({y}, key={f})", "any({y})", "all({y})", "next(j, None)", "next(iter({y}))",
        "next(j)", "p.index({v})", "p.count({v})", "p.pop()", "p.pop({i})", "q.pop(0)", "d.pop({k})", "e.pop({k}, None)", "w.popleft()", "w.pop()",
        "len(h)", "functools.reduce({g}, {y})", "functools.reduce({g}, {y}, {v})", "x[{i}]", "x.sum()", "bool(p)", "p == q", "p is q", "h[0] is p", "d == e",
        "p < q", "{v} in {y0}", "r.count", "r.items is p", "r == Box(p, n)", "Pair({v}, n).right", "hash((n, {i}))", "repr(p)", "str(d)", "len(set({y}))",
        "({v}, {v})", "(p[0], *q)[0]", "sum(v == n for v in p)", "sum(len(v) for v in h)", "[*{y}][-1]", "tuple({y})", "d.keys() == e.keys()", "e.popitem()",
        "list(d)[{i}]", "s in p", "s in [s]", "float('nan') in p", "x in [x]", "[x] == [x]", "(s,) == (s,)", "isinstance(p, list)", "type(d).__name__",
        "operator.itemgetter({i})(p)", "sorted({y})[0]", "''.join(map(str, p))", "str(w)", "f'{{p}} {{d}}'", "list(d.items()) == list(e.items())", "add({v})", "add({v})",
        "b", "a", "r.items[{i}]", "h.index(p)", "p in h", "p.__len__()", "d.setdefault({k}, {v})", "frozenset({y}) == u", "(not q)", "({v} or {v})", "divmod(n, 2)",
    ),
    "k": ("'a'", "'b'", "'a'", "'a'", "n", "1", "{i}", "1.0", "True", "(n, 1)", "s", "len(p)", "None"),
    "i": ("0", "-1", "0", "n % 2", "-1", "len(q) - 1", "n - 1", "0", "1"),
    "t": (
        "n > 1", "s > 0", "p", "not d", "len(p) > n", "x[0] > 0", "{v} in {y0}", "n in d", "'a' in d", "p == q", "p is q", "a is None", "u", "w", "{v} == {v}",
        "d.get({k})", "any({y})", "n", "len(LOG) > 3", "isinstance(a, int)", "h[0] is p", "q and q[0]", "e", "s in p",
    ),
    "f": ("str", "repr", "bool", "lambda v: v == n", "lambda v: -v", "lambda v: (v, 1)", "float", "d.get", "abs", "lambda v: v + s", "lambda v: p and p[0]"),
    "g": ("max", "lambda a, b: a", "lambda a, b: [a, b]", "operator.add", "lambda a, b: a + b", "operator.mul"),
    "y0": ("p", "q", "d", "e", "u", "w", "range(n)", "r.items", "d.values()", "d.items()"),
}  # fmt: skip
"""Expressions, by what they give: lists, dicts, sets, iterators, iterables, values, keys, indices, tests, functions."""

CHANGES: Final = (
    "p.append({v})", "p.append({v})", "q.append({v})", "p.insert({i}, {v})", "p.extend([*{y}][:3])", "p.sort()", "p.sort(key={f})", "q.reverse()", "p.clear()", "del p[{i}]",
    "del q[{i}:]", "del p[::2]", "p[{i}] = {v}", "p[{i}] += {v}", "q[{i}] *= 2", "p[{i}:{i}] = [*{y}][:3]", "p[::2] = {l}", "q[1:] = p[:2]", "p[:] = {l}", "p += [*{y}][:3]",
    "q += ({v},)", "p = p + [{v}]", "p = {l}", "q = {l}", "q = p", "p, q = q, p", "p.remove({v})", "q = p[:]", "d[{k}] = {v}", "d[{k}] = {v}", "e[{k}] = d.get({k})",
    "d[{k}] += {v}", "del d[{k}]", "e.update(d)", "d.update({d})", "d.update(a={v})", "d |= {d}", "e = {d}", "d = d | e", "d.clear()", "e = d", "d, e = e, d",
    "u.add({v})", "u.discard({v})", "u |= set({y})", "u.update({y})", "u -= {{{k}}}", "u = {u}", "w.append({v})", "w.appendleft({v})", "w.rotate({i})",
    "w.extend([*{y}][:2])", "w = collections.deque({y}, maxlen=2)", "w[{i}] = {v}", "h.append({l})", "h[{i}] = {l}", "h[{i}].append({v})", "h[0][{i}] = {v}", "h[{i}] += [{v}]",
    "h = [p, q]", "h = [[]] * 2", "h = [[] for v in range(2)]", "h.sort(key=len)", "h = copy.deepcopy(h)", "h = [p, [*q]]", "q = h[{i}]", "p = h[-1]", "for row in h: row.append({v})",
    "o[{k}] = {l}", "o.setdefault({k}, []).append({v})", "o[{k}].append({v})", "o = {{**o, 'b': p}}", "for k in o: o[k] = p", "for k, v in o.items(): v.append(k)",
    "r.count += 1", "r.items = {l}", "r.items.append({v})", "r.items += [{v}]", "r = replace(r, count=n)", "r = Box()", "r = Box({l}, {v})", "r = copy.copy(r)", "r.count = {v}",
    "j = {j}", "j = {j}", "a = next(j)", "a = next(j, {v})", "a, b = next(j, n), next(j, s)", "LOG.extend(itertools.islice(j, 2))", "a = list(zip(j, j))", "a = [*itertools.islice(j, 3)]",
    "a, b = {y}", "a, *b = {y}", "*a, b = {y}", "(a, b), *q = [({v}, {v}), *{y}]", "a, p[{i}] = p[{i}], {v}", "p[{i}], p[{i}] = p[{i}], p[{i}]", "n, p[n] = {i}, {v}", "a = b = [*{y}]",
    "[a, b] = {v}, {v}", "for p[0] in {y}: LOG.append(p[0])", "for i, d[{k}] in enumerate({y}): pass", "a = {v}", "b = {v}", "a = {v}", "b = {v}", "n = len(p) % 4",
    "say('p', p[:])", "LOG.append({v})", "LOG.append(({v}, {v}))", "print({v}, p)", "print(*{y})", "print(*p, sep='-')", "print(d, e)", "print(sorted(u, key=str))", "p[say('i', {i})] = say('v', {v})",
    "p[say('i', {i})] += say('v', {v})", "d[say('k', {k})] = say('v', {v})", "r.count, a = say('r', {v}), r.count", "ITEMS.append({v})", "TABLE[{k}] = {v}", "keep({v})", "ITEMS[0] += 1",
    "x[{i}] = n", "x += 1", "p.append(x)", "q = [x, *q]", "a = view[0]", "view = d.items()", "view = d.keys()", "LOG.append(len(view))", "LOG.append(list(view))", "LOG.append({v} in view)",
    "if {t}: return {v}", "if {t}: raise ValueError({v})", "assert {t}, {v}", "a = None", "m = Pair({v}, {v})", "m = m._replace(left={v})", "a, b = m", "LOG.append(m)",
)  # fmt: skip
HEADS: Final = (
    "if {t}:", "if {t}:", "if {t}:", "for v in {y}:", "for v in p:", "for i, v in enumerate({y}):", "for k in d:", "for k, v in d.items():", "for k in list(d):", "for v in w:",
    "for i in range(n):", "for i in range(2):", "for a, b in zip(p, {y}):", "for v in [*u]:", "for v in p[:]:", "for v in h:", "for v in j:", "for i in range(len(p)):", "for v in reversed(p):",
    "for k, v in e.items():", "for v in sorted({y}, key=str):", "for v in itertools.islice(j, 2):", "for v in view:", "for a, *b in zip(p, q, d):", "for v in r.items:", "for v in x:",
)  # fmt: skip
ERRORS: Final = (
    "(IndexError, KeyError)", "Exception", "(TypeError, ValueError)", "(StopIteration, RuntimeError)", "LookupError", "(TypeError, LookupError, ValueError, RuntimeError)",
)  # fmt: skip


GRAMMAR: Final = Grammar(
    FORMS,
    CHANGES,
    HEADS,
    ERRORS,
    simple={"v": "n", "y": "p", "y0": "p", "l": "p", "d": "d", "u": "u", "j": "iter(p)"},
    sizes={"v": 5, "y": 4, "l": 3, "k": 3, "i": 3, "t": 3, "y0": 3},
)


class Containers(Written):
    """A program in the making."""

    def closure(self) -> None:
        """A function that changes what stands around it."""
        self.line("def add(v):")
        self.depth += 1
        if self.rng.random() < 0.5:
            self.line("nonlocal c")
            self.line("c += 1")
        else:
            self.line("nonlocal p, c")
            self.line("c, p = c + 1, p + [v]")
        self.line(f"{self.rng.choice(['q.append(v)', 'd[c] = v', 'r.count += 1'])}")
        self.line("return c")
        self.depth -= 1


def program(rng: random.Random) -> tuple[str, int]:
    """The source of a random program, and how many statements it has."""
    made = Containers(rng, grammar=GRAMMAR)
    made.line(
        "a, b, c, m, view, q, e, u, w, h, o, j = None, None, 0, Pair(n), d.items(), [n], {'b': n}, {1}, collections.deque([n, 1]), [p], {}, iter(p)"
    )
    if made.rng.random() < 0.4 or "add({v})" in made.forms["v"]:
        made.closure()
    for form in made.rng.sample(START, 3):
        made.line(made.text(form))
    while made.budget > 0:
        made.statement()
    made.line(f"return a, b, p, q, d, e, [*u], [*w], h, o, r, m, {made.text('{v}')}")
    return whole(HEADER, PARAMETERS, made)
