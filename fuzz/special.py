"""Random programs about special methods: classes that have some of them, of their own and of built-in bases.

The methods are plain and compiled ones, mixed; they branch, count, change and return other types or ``NotImplemented``, and
are reached by operators, built-in functions, statements and the functions of `operator`, in branches, loops and handlers.
``special`` derives from `object`, ``derived`` from built-in classes, whose slots written in C come before or after.

`program(rng)` and `derived(rng)` give the source of a module with a function ``f`` and ``arguments(call)``.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from fuzz.grammar import Grammar, Written, whole

HEADER: Final = '''"""A random program about special methods."""

import collections
import copy
import enum
import functools
import json
import math
import operator
import os

import numpy as np

import astrace

LOG = []
PLAIN = __name__.endswith("_plain")


def mixed(function):
    """Compiled, in the one of two modules that is captured."""
    return function if PLAIN else astrace.compile(function)


def val(other):
    """The number that something stands for."""
    try:
        return object.__getattribute__(other, "v")
    except AttributeError:
        return other if isinstance(other, (int, float, np.ndarray, np.generic)) else 1


def show(one):
    """An object as data, without a look at its special methods."""
    cls = type(one)
    if cls in (list, tuple):
        return cls(map(show, one))
    if cls is dict:
        return {key: show(value) for key, value in one.items()}
    if cls.__module__ != __name__ or not isinstance(one, (M, O)):
        return one
    base = next((base for base in (int, float, str, tuple, list, dict, set, bytes) if isinstance(one, base)), None)
    held = base.__repr__(one) if base not in (None, set) else None
    return cls.__name__, held, {key: show(value) for key, value in sorted(vars(one).items())}


def has_hash(one):
    """Tell whether the hash is not the one of the object's identity, which is another in each run."""
    return type(one).__hash__ is not object.__hash__


def opaque(function, *given):
    locals()
    return function(*given)


def arguments(call):
    """The arguments of a call."""
    x = np.array([[0.0, 1.0, -2.0], [1.5, 0.0, 1.0], [-0.0, 2.0, 2.0], [1.0, 1.0, 0.5]][call])
    s = [1.5, 2, 0.0, np.float64(2.0)][call]
    return (made(M, s), made(O, call), x, s, [1, 0, 3, 2][call])


def made(cls, value):
    """An instance, whatever its constructor does."""
    try:
        return cls(value)
    except Exception:
        return getattr(cls, "ONE", None)


'''
PARAMETERS: Final = "m, o, x, s, n"
SYMBOLS: Final = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}  # fmt: skip
ARITHMETIC: Final = (
    "return type(self)(val(self) {s} val(other))", "return val(self) + val(other)", "return NotImplemented", "LOG.append('{n}')\nreturn 7", "if val(self) > 1:\n    return M(1)\nreturn val(other)",
    "self.v = val(self) + 1\nreturn self", "return self", "return [self, other]", "raise TypeError('{n}')", "return super().{n}(other)", "if n_of(other):\n    return NotImplemented\nreturn 'text'", "self.count = getattr(self, 'count', 0) + 1\nreturn self.count",
)  # fmt: skip
COMPARED: Final = (
    "return val(self) {s} val(other)", "return NotImplemented", "LOG.append('{n}')\nreturn True", "return []", "return 'yes'", "if val(other) == 1:\n    return False\nreturn NotImplemented", "return super().{n}(other)", "raise ValueError('{n}')", "self.v = val(self) + 1\nreturn self.v > 2",
)  # fmt: skip
COMPARISONS: Final = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
OTHERS: Final[Mapping[str, tuple[str, ...]]] = {
    "__init__(self, v=0)": ("self.v = v", "self.v = v\nself.w = [v]", "self.v = val(v) + 1", "LOG.append('init')\nself.v = v", "super().__init__()\nself.v = v", "if n_of(v):\n    self.v = 1\nelse:\n    self.v = 2", "self.v = 0\nfor i in range(2):\n    self.v += i"),
    "__neg__(self)": ("return type(self)(-val(self))", "return -val(self)", "LOG.append('neg')\nreturn self"), "__pos__(self)": ("return self", "return +val(self)"), "__invert__(self)": ("return 5", "return [self]"), "__abs__(self)": ("return abs(val(self))", "return M(2)"),
    "__bool__(self)": ("return val(self) > 1", "return True", "LOG.append('bool')\nreturn False", "return 1", "raise ValueError('truth')", "self.v = val(self) - 1\nreturn self.v > 0"),
    "__len__(self)": ("return 2", "return 0", "return int(abs(val(self)))", "return -1", "LOG.append('len')\nreturn 1", "return super().__len__()", "return 1.5"),
    "__int__(self)": ("return 3", "return int(val(self))", "return 1.5"), "__float__(self)": ("return 2.5", "return float(val(self))", "return 1"), "__index__(self)": ("return 1", "LOG.append('index')\nreturn 0"), "__complex__(self)": ("return 1j",),
    "__round__(self, digits=None)": ("return digits", "return round(val(self), digits)"), "__trunc__(self)": ("return 4",), "__floor__(self)": ("return -1",), "__ceil__(self)": ("return M(9)",),
    "__repr__(self)": ("return f'M({{val(self)}})'", "return 'repr'", "LOG.append('repr')\nreturn 'é'", "return 1"), "__str__(self)": ("return 'str'", "return f'<{{val(self)}}>'", "LOG.append('str')\nreturn 's'", "return super().__str__() if type(self).__mro__[1] is not object else 'o'"),
    "__format__(self, spec)": ("return f'[{{spec}}]'", "LOG.append(spec)\nreturn 'f'", "return format(val(self), spec)", "return super().__format__(spec) if not spec else spec"), "__bytes__(self)": ("return b'm'",),
    "__hash__(self)": ("return 3", "LOG.append('hash')\nreturn hash(val(self))"), "__call__(self, *given, **named)": ("return given, named", "self.v = given\nreturn self", "if given:\n    return given[0]\nreturn val(self)"),
    "__getitem__(self, key)": ("return key", "return x_of(key)", "LOG.append(key)\nreturn val(self)", "if key == 2:\n    raise IndexError(key)\nreturn key", "raise KeyError(key)", "return super().__getitem__(key)", "self.v = key\nreturn self"),
    "__setitem__(self, key, value)": ("self.v = value", "LOG.append((key, value))", "return super().__setitem__(key, value)", "self.held = {{key: value}}"), "__delitem__(self, key)": ("self.v = 0", "LOG.append(key)", "return super().__delitem__(key)"),
    "__contains__(self, key)": ("return key == 1", "LOG.append('in')\nreturn []", "return 'yes'", "return super().__contains__(key)"), "__iter__(self)": ("return iter([val(self), 2])", "yield 1\nyield val(self)", "self.at = 0\nreturn self", "return super().__iter__()", "return 3", "LOG.append('iter')\nreturn iter(())"),
    "__next__(self)": ("self.at = getattr(self, 'at', 0) + 1\nif self.at > 3:\n    raise StopIteration(self.at)\nreturn self.at", "LOG.append('next')\nraise StopIteration"), "__reversed__(self)": ("return iter([9, 8])", "return 'reversed'"), "__length_hint__(self)": ("return 2", "LOG.append('hint')\nreturn NotImplemented"),
    "__missing__(self, key)": ("return key", "self[key] = 1\nreturn 1"),
    "__getattr__(self, name)": ("if name.startswith('_'):\n    raise AttributeError(name)\nLOG.append(name)\nreturn 4", "raise AttributeError(name + '!')", "if name == 'q':\n    return val(self)\nraise AttributeError(name)", "if name == 'q':\n    self.q = 1\n    return 2\nraise AttributeError(name)"),
    "__getattribute__(self, name)": ("LOG.append(name)\nreturn super().__getattribute__(name)", "if name == 'w':\n    return 5\nreturn super().__getattribute__(name)", "return object.__getattribute__(self, name)"),
    "__setattr__(self, name, value)": ("super().__setattr__(name, value)", "LOG.append((name, val(value)))\nsuper().__setattr__(name, value)", "super().__setattr__(name, [value])", "if name != 'w':\n    super().__setattr__(name, value)", "self.__dict__[name] = value", "object.__setattr__(self, name, val(value) * 2)"),
    "__delattr__(self, name)": ("LOG.append(name)", "super().__delattr__(name)", "raise AttributeError(name)"), "__enter__(self)": ("return self", "LOG.append('enter')\nreturn 6", "self.v = 0\nreturn val(self)"),
    "__exit__(self, kind, error, trace)": ("return True", "LOG.append(kind and kind.__name__)", "return val(self) > 1", "raise KeyError('exit')"), "__copy__(self)": ("return 'copied'", "LOG.append('copy')\nreturn self"), "__deepcopy__(self, memo)": ("return 'deep'",),
    "__dir__(self)": ("return ['b', 'a']",), "__sizeof__(self)": ("return 1",), "__fspath__(self)": ("return 'path'",), "__array__(self, dtype=None, copy=None)": ("return np.array([1.0, 2.0])",), "__array_ufunc__(self, ufunc, method, *given, **named)": ("LOG.append(ufunc.__name__)\nreturn 'ufunc'", "return NotImplemented"),
    "__instancecheck__(self, one)": ("return True",), "__divmod__(self, other)": ("return 1, other", "return NotImplemented"), "__rdivmod__(self, other)": ("return other",), "__getstate__(self)": ("return {{'v': 3}}",), "__eq__(self, other)": ("return self is other", "return val(self) == val(other)"),
}  # fmt: skip
"""Special methods with their parameters, and what may stand in them."""
PLAIN_MEMBERS: Final = (
    "w = 10", "@property\ndef p(self):\n    return val(self)", "@property\ndef p(self):\n    LOG.append('p')\n    return self.w\n\n@p.setter\ndef p(self, value):\n    self.v = value", "@classmethod\ndef k(cls, v=1):\n    return cls(v)", "@staticmethod\ndef k(v=1):\n    return v", "def k(self, v=1):\n    self.v = v\n    return self",
    "@functools.cached_property\ndef p(self):\n    LOG.append('cached')\n    return val(self)", "__match_args__ = ('v', 'w')", "def __init_subclass__(cls, **named):\n    cls.w = 11", "def __class_getitem__(cls, key):\n    return key", "__hash__ = None", "__iter__ = None", "__contains__ = None", "__radd__ = lambda self, other: other",
)  # fmt: skip

FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "m": ("m", "o", "m", "o", "M(n)", "O(s)", "M(x)", "a", "m.k()", "O({v})"),
    "b": ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>", "+", "*"),
    "c": ("==", "!=", "<", "<=", ">", ">=", "==", "in", "not in", "is"),
    "v": (
        "n", "s", "{m} {b} {v}", "{v} {b} {m}", "{m} {b} {m}", "{m} {c} {v}", "{v} {c} {m}", "{m} {c} {m}", "x {b} {m}", "{m} {b} x", "-{m}", "+{m}", "~{m}", "abs({m})", "not {m}", "bool({m})", "len({m})", "int({m})", "float({m})", "complex({m})", "round({m})", "round({m}, 1)",
        "math.floor({m})", "math.ceil({m})", "math.trunc({m})", "[7, 8, 9][{m}]", "repr({m})", "str({m})", "ascii({m})", "format({m}, '>5')", "format({m})", "f'{{{m}}}'", "f'{{{m}!r:>4}}'", "'%s' % {m}", "'{{}}'.format({m})", "bytes({m})", "hash({m}) if has_hash({m}) else None", "{m}(n)", "{m}(n, k=s)", "{m}()", "{m}[n]", "{m}['a']",
        "{m}[1:2]", "list({m})", "[*{m}]", "tuple({m})", "sum({m})", "max({m})", "sorted({m})", "dict({m})", "[v for v in {m}]", "any({m})", "zip({m}, {m})", "list(reversed({m}))", "next({m})", "next(iter({m}))", "iter({m}) is {m}", "list(map(str, {m}))", "list(enumerate({m}))", "{m}.v", "{m}.w", "{m}.q", "{m}.p",
        "{m}.k()", "{m}.k(n)", "getattr({m}, 'q', 0)", "hasattr({m}, 'q')", "hasattr({m}, 'v')", "vars({m}).get('v')", "dir({m})", "isinstance({m}, M)", "type({m}).__name__", "copy.copy({m}) is {m}", "divmod({m}, 2)", "divmod(7, {m})", "pow({m}, 2)", "pow({m}, 2, 5)", "operator.{f}({m}, {v})", "operator.{f}({v}, {m})",
        "operator.{f}({m}, {m})", "opaque(operator.{f}, {m}, {v})", "opaque(len, {m})", "opaque(str, {m})", "opaque(M, n)", "operator.index({m})", "operator.truth({m})", "operator.length_hint({m}, 1)", "operator.call({m}, n)", "operator.contains({m}, 1)", "operator.getitem({m}, n)", "operator.neg({m})", "operator.not_({m})",
        "np.add(x, {m})", "np.asarray({m}).shape", "({m} and n)", "({m} or n)", "(n if {m} else s)", "n < {m} < 3", "{{{m}: n}}[{m}]", "{m} in [{m}, n]", "[n, {m}].index({m})", "{m} == {m} == n", "functools.reduce(operator.{f}, [{m}, n, s])", "functools.reduce(operator.add, {m}, 0)", "sum([{m}, n], {m})", "b",
        "{m}.__class__ is M", "{m}.{d}", "M.__len__({m})", "min({m}, n, key=str)", "'-'.join([str({m}), 'a'])", "(lambda v: v + {m})(n)", "(lambda *v: v)(*{m})", "(lambda **v: v)(**{m})", "M[n]", "os.fspath({m})", "type({m})({v})", "all(v == n for v in {m})", "{v} if {m} == n else {v}",
    ),
    "f": ("add", "iadd", "sub", "mul", "imul", "truediv", "eq", "ne", "lt", "concat", "iconcat", "and_", "or_", "ior", "mod", "matmul", "pow", "is_", "isub", "countOf", "indexOf"),
    "d": ("__add__(n)", "__radd__(n)", "__eq__(n)", "__len__()", "__str__()", "__bool__()", "__class__.__name__", "__init__(3)", "__dict__", "__getitem__(0)", "__doc__", "__format__('')", "__hash__() and 0", "__iter__()", "__ne__(s)", "__setattr__('w', 1)"),
    "t": ("{m}", "not {m}", "{m} {c} n", "n > 1", "s > 0", "{m} == {m}", "{m} != n", "n in {m}", "{m} and n", "len({m})", "x[0] > 0", "{m}.v", "a is {m}"),
}  # fmt: skip
"""Expressions, by what they give: instances, operators, comparisons, values, functions of `operator`, methods, tests."""

CHANGES: Final = (
    "m += {v}", "m += {m}", "o -= {v}", "m *= 2", "o @= x", "m |= {m}", "o **= 2", "m //= {v}", "m %= {v}", "m &= o", "o <<= 1", "m.v += {v}", "m.v = {v}", "o.v = {v}", "{m}.w = {v}", "{m}.p = {v}", "{m}.q += 1", "del {m}.v", "del {m}.w", "{m}[n] = {v}", "{m}['a'] = {v}", "{m}[n] += {v}", "del {m}[n]", "{m}[:1] = [n]",
    "a = {v}", "a = {v}", "a = {v}", "b = {v}", "b = {v}", "a = {m}", "b = {m}", "LOG.append({v})", "LOG.append(str({m}))", "print({m})", "print({m}, {v}, sep='|')", 'print(f"{{{m}}} {{{m}!s}}")', "a, b = {m}", "a, *b = {m}", "m, o = o, m", "m = M({v})", "o = O({v})", "m = {m}", "setattr({m}, 'w', {v})", "setattr({m}, 'q', n)",
    "delattr({m}, 'v')", "operator.iadd(m, {v})", "m = operator.iadd(m, {v})", "operator.setitem({m}, n, {v})", "operator.delitem({m}, n)", "x[0] += {m}.v", "x += {m}", "x = x * {m}", "if {t}: return {v}", "assert {m}, {v}", "raise {m}", "opaque(setattr, {m}, 'v', n)", "opaque({m}.k)", "opaque(operator.iadd, {m}, n)", "M.w = n", "O.w = {v}", "del M.w",
    "with {m}: a = {v}", "with {m} as b: raise ValueError(n)", "{m}.__init__({v})", "{m}.update(a=1)", "{m}.append(n)", "LOG.append(m is o)", "a = [v for v in {m} if v]", "b = {{k: {m} for k in range(n)}}",
)  # fmt: skip
HEADS: Final = (
    "if {t}:",
    "if {t}:",
    "if {t}:",
    "for i in {m}:",
    "for i in range(n):",
    "for i in range(2):",
    "for a, b in zip({m}, range(3)):",
    "with {m}:",
    "with {m} as a:",
    "for m in (m, o):",
    "for i, a in enumerate({m}):",
    "while n > 0 and (n := n - 1) >= 0:",
    "for {m}.v in range(2):",
)
ERRORS: Final = (
    "Exception",
    "TypeError",
    "(TypeError, AttributeError, ValueError)",
    "AttributeError",
    "(LookupError, TypeError)",
    "(NameError, TypeError, ArithmeticError)",
)
GRAMMAR: Final = Grammar(
    FORMS,
    CHANGES,
    HEADS,
    ERRORS,
    simple={"v": "n", "m": "m"},
    sizes={"v": 6, "m": 4, "b": 3, "c": 3, "t": 3, "f": 3},
)  # fmt: skip
BASES: Final = (
    "int", "float", "str", "tuple", "list", "dict", "set", "bytes", "complex", "frozenset", "collections.OrderedDict", "collections.Counter", "collections.deque", "Exception", "ValueError", "KeyError", "enum.Enum", "enum.IntEnum", "enum.Flag", "int", "float", "str", "dict", "list", "collections.UserDict", "bytearray", "BaseException",
)  # fmt: skip
DERIVED_USES: Final = (
    "str.upper({m})", "int.__add__({m}, 1)", "{m}.items()", "{m}.get('a')", "{m}.args", "list.__len__({m})", "{m}.copy()", "{m}.real", "{m}.name", "{m}.value", "{m}.count(1)", "{m}.__class__.__mro__[1].__name__", "super(M, {m}).__str__()", "object.__repr__({m})[:4]", "dict.__len__({m})", "{m}.keys()", "{m} + ''", "{m} + 1", "{m} + []", "''.join({m})", "{m}.join(['a', 'b'])",
    "int({m}) + 1", "float({m}) * 2", "str({m}) + 'a'", "{m}.title()", "repr([{m}])", "repr(({m},))", "str({{'a': {m}}})", "'%d' % {m}", "f'{{{m}:>8}}'", "f'{{{m}:x}}'", "{m}.bit_length()", "isinstance({m}, (int, str, dict))", "json.dumps({m})", "sorted([{m}, {m}])", "list({m}.values())", "{m} == {m}.__class__.__base__()", "hash({m}) == hash({m})", "round({m}, 0)", "ascii({m})", "{m} ** 2", "{m} != 1",
)  # fmt: skip


class Special(Written):
    """A program in the making."""

    def method(self, head: str, body: str, compiled: float) -> None:
        """Write a method, plain or compiled."""
        if self.rng.random() < compiled:
            self.line("@mixed")
        self.line(f"def {head}:")
        self.depth += 1
        for line in body.split("\n"):
            self.line(line)
        self.depth -= 1

    def members(self, compiled: float, most: int, kinds: tuple[str, ...]) -> None:
        """Write some special methods, a constructor among them if they ask for one, and other members."""
        done: set[str] = set()
        for _ in range(self.rng.randint(1, most)):
            head, bodies, names = self.kind(self.rng.choice(kinds))
            name = head.partition("(")[0]
            if name not in done:
                done.add(name)
                body = self.rng.choice(bodies).format(**names)
                self.method(head, body, compiled)
        for member in self.rng.sample(PLAIN_MEMBERS, self.rng.choice([0, 0, 1, 2])):
            for line in member.split("\n"):
                self.line(line)

    def kind(self, kind: str) -> tuple[str, tuple[str, ...], dict[str, str]]:
        """A special method of a kind: its head, what may stand in it, and what its texts ask for."""
        match kind:
            case "binary":
                name = self.rng.choice(list(SYMBOLS))
                prefix = self.rng.choice(["", "", "r", "i"])
                return (
                    f"__{prefix}{name}__(self, other)",
                    ARITHMETIC,
                    {"s": SYMBOLS[name], "n": f"__{prefix}{name}__"},
                )
            case "compared":
                name, symbol = self.rng.choice(list(COMPARISONS.items()))
                return f"__{name}__(self, other)", COMPARED, {"s": symbol, "n": f"__{name}__"}
            case _:
                head = self.rng.choice(list(OTHERS))
                return head, OTHERS[head], {}

    def classes(self, base: str) -> str:
        """The source of two classes, one derived of the other."""
        made, kept = [], self.lines
        compiled = self.rng.choice([0.0, 0.3, 0.6, 1.0])
        kinds = ("binary", "compared", "other", "other", "other", "other")
        for name, of, most in (("M", base, 7), ("O", "M", 4)):
            self.lines, self.depth = [], 1
            if name == "M" and base == "object":
                self.method(
                    "__init__(self, v=0)", self.rng.choice(OTHERS["__init__(self, v=0)"]).format(), compiled
                )
                self.method("__repr__(self)", "return f'{{type(self).__name__}}'".format(), compiled)
            if name == "M" and base.startswith("enum."):
                self.line("ONE = 1")
                self.line("TWO = 2")
            head = f"class {name}:" if of == "object" else f"class {name}({of}):"
            self.members(compiled, most, kinds)
            made.append("\n".join([head, *(self.lines or ["    pass"])]))
            if name == "M" and base.startswith("enum."):
                made.append("O = M")
                break
        self.lines = kept
        return (
            "\n\n\n".join(made)
            + "\n\n\ndef n_of(v):\n    return isinstance(v, int)\n\n\ndef x_of(v):\n    return v\n\n\n"
        )


def _program(rng: random.Random, base: str) -> tuple[str, int]:
    made = Special(rng, grammar=GRAMMAR)
    if base != "object":
        made.forms["v"] += made.rng.sample(DERIVED_USES, 3)
    before = made.classes(base)
    made.line("a = b = None")
    while made.budget > 0:
        made.statement()
    made.line(f"return show(a), show(b), show(m), show(o), {made.text('{v}')}")
    return whole(HEADER, PARAMETERS, made, before)


def program(rng: random.Random) -> tuple[str, int]:
    """The source of a random program about classes of its own, and how many statements it has."""
    return _program(rng, "object")


def derived(rng: random.Random) -> tuple[str, int]:
    """The same about subclasses of built-in classes."""
    return _program(rng, rng.choice(BASES))
