"""Random programs of one expression or statement each over one or two objects of any kinds, most of which refuse it.

What a builtin, a method or an operator accepts, and in which order it looks at what it is given, is Python's to say.  So
each expression meets all kinds of objects: arguments, globals, and what the function makes, plain, in a branch, a loop or
a ``try`` statement.

`program(rng)` gives the source of a module with a function ``f`` and ``arguments(call)``.
"""

from __future__ import annotations

import random
from typing import Final

HEADER: Final = '''"""A random program of expressions over objects of any kinds."""

import collections
import copy
import functools
import itertools
import math
import operator

import numpy as np

LOG = []


class Answering:
    """Answers some operators; has items, a length and an index."""

    def __init__(self, v=3):
        self.v = v

    def __add__(self, other):
        return ("add", other)

    def __radd__(self, other):
        return ("radd", other)

    def __eq__(self, other):
        return "eq"

    def __len__(self):
        return self.v

    def __getitem__(self, key):
        if isinstance(key, int) and key >= self.v:
            raise IndexError(key)
        return ("item", key)

    def __contains__(self, item):
        return 5

    def __hash__(self):
        return 1

    def __index__(self):
        return self.v

    def __repr__(self):
        return f"Answering({self.v})"


class Missing(dict):
    def __missing__(self, key):
        return ("missing", key)


class Whole(int):
    def __add__(self, other):
        return "whole"


class Real(float):
    pass


class Text(str):
    def __str__(self):
        return "text"


class Several(tuple):
    pass


Point = collections.namedtuple("Point", "a b")


def outcome(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return type(error).__name__, str(error).replace(__name__, "module")


'''

OBJECTS: Final = (
    "1", "0", "-2", "2.5", "True", "None", "'ab'", "b'ab'", "(1, 2)", "[1, 2]", "{1: 2}", "{1, 2}", "1j", "range(3)", "slice(1)",
    "''", "()", "[]", "10**20", "-0.0", "[[1], 2]", "('a', (1,))", "...", "frozenset([1])", "bytearray(b'q')", "np.ones(3)",
    "np.arange(4)", "np.float64(2)", "np.int8(3)", "np.array(2)", "np.zeros((2, 2))", "np.bool_(1)", "Answering()", "Missing({1: 2})",
    "Whole(4)", "Real(1.5)", "Text('q')", "Several((1, 2))", "Point(1, 2)", "np.str_('a')", "{'a': 1}", "np.ma.ones(2)",
    "collections.deque([1, 2])", "collections.Counter('aab')", "collections.OrderedDict(a=1)", "np.datetime64('2020-01-01')",
    "np.array(['a', 'b'])", "np.array([1, None])",
)  # fmt: skip
BINARY: Final = (
    "x + y", "x - y", "x * y", "x / y", "x // y", "x % y", "x ** y", "x @ y", "x << y", "x & y", "x | y", "x ^ y", "x < y", "x == y",
    "x != y", "x >= y", "x in y", "x not in y", "x and y", "x or y", "divmod(x, y)", "pow(x, y)", "x[y]", "max(x, y)", "min(x, y)",
    "isinstance(x, type(y))", "round(x, y)", "sum(x, y)", "list(zip(x, y))", "[*x, *y]", "{x: y}", "{x, y}", "f'{x}{y!r}'", "format(x, y)",
    "'%s %r' % (x, y)", "x is y", "x if y else 0", "[a for a in x if a in y]", "sorted([x, y])", "list(enumerate(x, y))", "x.index(y)",
    "x.count(y)", "x.get(y)", "x.get(y, 5)", "x.join(y)", "x.split(y)", "x.update(y) or x", "x.append(y) or x", "x.extend(y) or x",
    "x.insert(0, y) or x", "x.pop(y)", "x.add(y) or x", "x.union(y)", "x.startswith(y)", "x.replace(y, y)", "x.setdefault(y, 3)",
    "x.remove(y) or x", "x.discard(y) or x", "int(x, y)", "str(x, y)", "list(range(x, y))", "slice(x, y)", "complex(x, y)", "getattr(x, y)",
    "hasattr(x, y)", "[x] * y", "[x] + y", "dict.fromkeys(x, y)", "tuple(x) + tuple(y)", "x[y:]", "x[:y]", "x[::y]", "x[y, 0]", "x[None, y]",
    "any(a == y for a in x)", "np.add(x, y)", "np.where(x, y, 0)", "np.maximum(x, y)", "np.concatenate([x, y])", "np.append(x, y)",
    "np.array([x, y])", "math.pow(x, y)", "math.atan2(x, y)", "operator.contains(x, y)", "dict(x, q=y)", "{**x, 'k': y}", "bytes(x, y)",
    "list(itertools.chain(x, y))", "next(iter(x), y)", "x.__add__(y)", "x.__eq__(y)", "x.__contains__(y)", "x.__getitem__(y)", "x.__lt__(y)",
    "x.__or__(y)", "x.__iadd__(y)", "x.__imul__(y)", "functools.partial(max, x)(y)", "copy.copy([x, y])",
)  # fmt: skip
UNARY: Final = (
    "-x", "+x", "~x", "not x", "abs(x)", "len(x)", "bool(x)", "int(x)", "float(x)", "complex(x)", "str(x)", "repr(x)", "bytes(x)", "list(x)",
    "tuple(x)", "set(x)", "dict(x)", "sorted(x)", "list(reversed(x))", "sum(x)", "max(x)", "min(x)", "any(x)", "all(x)", "type(iter(x))",
    "hash(x)", "round(x)", "chr(x)", "ord(x)", "bin(x)", "range(x)", "callable(x)", "x == x", "[a for a in x]", "{a for a in x}", "{a: 1 for a in x}",
    "f'{x!r:>8}'", "f'{x:d}'", "f'{x:.2f}'", "'%d' % x", "'%s' % x", "x[0]", "x[-1]", "x[1:]", "x[::-1]", "x[...]", "x[None]", "x()", "x.real",
    "list(x.items())", "x.copy()", "x.upper()", "x.sort() or x", "x.reverse() or x", "x.clear() or x", "x.pop()", "x.popitem()", "x.shape",
    "x.tolist()", "x.sum()", "x.bit_length()", "x.a", "x._asdict()", "x._replace(a=5)", "math.floor(x)", "math.sqrt(x)", "np.sum(x)",
    "np.sqrt(x)", "np.asarray(x)", "np.ndim(x)", "np.arange(x)", "np.isnan(x)", "np.sort(x)", "np.float64(x)", "np.int32(x)", "max(*x)",
    "(lambda *a: a)(*x)", "(lambda **k: k)(**x)", "[*x]", "{**x}", "operator.index(x)", "operator.length_hint(x)", "copy.deepcopy(x)",
    "list(map(abs, x))", "list(filter(None, x))", "dict(zip(x, x))", "list(itertools.accumulate(x))", "''.join(x)", "str(x, 'ascii')",
    "x.encode()", "x.__hash__()", "x.__str__()", "x.__repr__()", "x.__format__('')", "x.__len__()", "max(x, default=3)",
)  # fmt: skip
STATEMENTS: Final = (
    "r, q = x", "r, *q = x", "(r, q), s = x", "r = del_ = x; del x[0]", "r = x; x[0] = 9", "r = x; x[0] += 1", "r = x; x.q = 1", "r = 0; r += x",
    "r = x; r += x", "r = x; r *= 2", "r = x; r -= 1", "r = x; r |= x", "r = []\nfor a in x: r.append(a)", "r = 1\nwhile x: break\nelse: r = 2",
    "r = 1\nif x: r = 2", "r = 1\nassert x", "r = 1\nraise x", "r = 1\nwith x: pass", "r = x; del x",
)  # fmt: skip
PLACES: Final = (
    "{}",
    "if k > 0:\n    {}\nelse:\n    r = None",
    "r = None\nfor k in range(k):\n    {}",
    "try:\n    {}\nexcept (TypeError, ValueError, AttributeError) as error:\n    r = type(error).__name__, str(error)",
)
MOST: Final = 6
"""So many functions at most in a program."""


def program(rng: random.Random) -> tuple[str, int]:
    """A program, and how many functions it has.

    Args:
        rng: what it is drawn from.
    """
    count = rng.randint(1, MOST)
    functions, calls, given = [], [], []
    for number in range(count):
        text, passed, objects = _function(rng, number)
        functions.append(text)
        first = len(given)
        names = [f"p{first + place}" for place in range(len(objects))]
        calls.append(
            f"outcome({', '.join([f'e{number}', 'k', *names])})" if passed else f"outcome(e{number}, k)"
        )
        given += objects
    parameters = ", ".join(["k", *(f"p{place}" for place in range(len(given)))])
    shown = ", ".join(given)
    body = f"def f({parameters}):\n    return [{', '.join(calls)}]\n"
    footer = f"\n\ndef arguments(call):\n    return (call % 3, {shown}{',' if shown else ''})\n"
    return HEADER + "\n\n".join([*functions, body]) + footer, count


def _function(rng: random.Random, number: int) -> tuple[str, list[str], list[str]]:
    """A function, its parameters and what they are given."""
    kind = rng.choice((BINARY, BINARY, UNARY, UNARY, STATEMENTS))
    names = "xy" if kind is BINARY else "x"
    outside, inside, passed, objects = "", "", [], []
    for name in names:
        value = rng.choice(OBJECTS)
        match rng.randrange(3):
            case 0:
                passed.append(name)
                objects.append(value)
            case 1:
                inside += f"    {name} = {value}\n"
            case _:
                outside += f"{name.upper()}{number} = {value}\n"
                inside += f"    {name} = {name.upper()}{number}\n"
    text = rng.choice(kind)
    text = text if kind is STATEMENTS else f"r = {text}"
    place = rng.choice(PLACES)
    depth = "\n    " if "    {}" in place else "\n"
    body = place.format(text.replace("\n", depth)).replace("\n", "\n    ")
    header = f"def e{number}({', '.join(['k', *passed])}):\n"
    return f"{outside}{header}{inside}    {body}\n    return r\n", passed, objects
