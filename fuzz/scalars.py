"""Random programs about single values: numbers of all kinds, texts, bytes, dates, and what turns one into the other.

What a result's type is may depend on its value: ``2 ** -1`` is a float, ``(-8.0) ** 0.5`` complex, an integer may be too
big for NumPy.  So a program is made of few expressions over few constants, most of them at the edge of something, and of
names that change their type in branches and loops.

`program(rng)` gives the source of a module with a function ``f`` and ``arguments(call)``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from fuzz.draft import Draft

HEADER: Final = '''"""A random program about single values."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np

LOG = []


def say(tag, value):
    LOG.append((tag, value))
    return value


def told(value):
    return type(value), repr(value), str(value)


'''
FOOTER: Final = '''

def arguments(call):
    """The arguments of a call: of one type but for the last."""
    t = [1.5, float("inf"), -0.0, 3][call]
    w = ["ab1", "", "\\u00e9 12", "  7 "][call]
    z = [1 - 2j, complex("nan"), -0j, 2.0][call]
    return (INTS[call], [3, 0, -1, True][call], t, S[call], U[call], w, [b"ab", b"", b"\\xff1", b"0x1f"][call], z, K[call], C[call])


'''
PARAMETERS: Final = "n, m, t, s, u, w, v, z, k, b"

SCALARS: Final = (
    ("np.int8(100)", "np.int8(-128)", "np.int8(3)"), ("np.uint8(200)", "np.uint8(0)", "np.uint8(7)"),
    ("np.int16(-32768)", "np.int16(2)", "np.int16(300)"), ("np.uint16(65535)", "np.uint16(1)", "np.uint16(0)"),
    ("np.int32(2147483647)", "np.int32(0)", "np.int32(-5)"), ("np.uint32(4294967295)", "np.uint32(2)", "np.uint32(0)"),
    ("np.int64(-9223372036854775808)", "np.int64(1)", "np.int64(-1)"),
    ("np.uint64(18446744073709551615)", "np.uint64(0)", "np.uint64(3)"),
    ("np.float16(65504.0)", "np.float16('nan')", "np.float16(0.1)"), ("np.float32(0.1)", "np.float32('-inf')", "np.float32(-0.0)"),
    ("np.float64(1e308)", "np.float64('nan')", "np.float64(-2.5)"), ("np.complex64(1 + 2j)", "np.complex64('nan')", "np.complex64(0)"),
    ("np.complex128(-1j)", "np.complex128('inf')", "np.complex128(2)"), ("np.True_", "np.False_", "np.True_"),
)  # fmt: skip
"""NumPy scalars for the first three calls."""
OTHERS: Final = (
    ("np.datetime64('2020-02-28')", "np.datetime64('NaT')", "np.datetime64('1969-12-31')"),
    ("np.timedelta64(36, 'h')", "np.timedelta64('NaT')", "np.timedelta64(-1, 'h')"),
    ("Fraction(1, 3)", "Fraction(-7, 2)", "Fraction(0)"), ("Decimal('1.10')", "Decimal('NaN')", "Decimal('-0')"),
    ("None", "None", "None"), ("'a'", "''", "'12'"), ("(1, 2.0)", "(True, 0.0)", "(0, -0.0)"), ("True", "False", "True"),
)  # fmt: skip

HOLES: Final[Mapping[str, Sequence[str]]] = {
    "i": ("0", "1", "-1", "2", "7", "255", "-128", "10**20", "2**63", "2**64 - 1", "-2**63", "True", "n", "n", "m", "m", "len(w)", "len(v)", "int(t > 0)"),
    "f": ("0.0", "-0.0", "0.5", "2.5", "-1.5", "1e308", "5e-324", "0.1", "1e16", "float('inf')", "float('nan')", "-8.0", "t", "t", "t", "float(n)", "t - 1"),
    "z": ("1j", "-0j", "complex(0, -0.0)", "z", "z", "z * 2"),
    "s": ("s", "s", "u", "u", "np.uint8(200)", "np.int8(-1)", "np.float16(0.1)", "np.float32(3)", "np.float64(0.5)", "np.int64(2)", "np.True_"),
    "w": ("'a'", "''", "'Ab,c'", "'12'", "'1e3'", "'\\u00df\\n'", "w", "w", "w", "str(n)", "f'{n}'", "repr(t)"),
    "v": ("b''", "b'ab'", "b'\\x00\\xff'", "v", "v", "v"),
    "e": ("0", "1", "2", "3", "-1", "n % 4", "len(w)", "m", "n % 3 - 1", "int(t > 1)", "True"),
    "d": ("np.datetime64('2020-02-28')", "np.datetime64('2021-01-01T12')", "np.datetime64('NaT')"),
    "h": ("np.timedelta64(1, 'D')", "np.timedelta64(90, 'm')", "np.timedelta64('NaT')", "np.timedelta64(n % 9, 's')", "np.timedelta64(7)"),
    "k": ("k", "k", "np.array(n % 100)", "np.array(t)", "np.array(2, np.uint8)", "np.zeros((), np.float32)"),
    "o": ("b",),
    "g": ("'d'", "'5'", "'+'", "'.2f'", "'>6'", "'e'", "'x'", "'#b'", "','", "'08.3f'", "'%'", "'s'", "'^9'", "'_d'", "''", "'g'", "'=+7'", "'c'", "'.3'"),
}  # fmt: skip
"""The values for each place: integers, floats, complex numbers, NumPy scalars, texts, bytes, small exponents, dates,
spans of time, arrays without dimensions, format specifications."""

GIVEN: Final = {"i": "nm", "f": "t", "z": "z", "s": "su", "w": "w", "v": "v", "k": "k"}
"""The parameters that are of a kind, in all calls but the last: nothing is known of their values."""

FORMS: Final[Mapping[str, Sequence[str]]] = {
    "integers": (
        "{i} + {i}", "{i} - {i}", "{i} * {i}", "{i} // {i}", "{i} % {i}", "{i} / {i}", "divmod({i}, {i})", "{i} ** {e}", "{e} ** {e}",
        "pow({i}, {e})", "pow({i}, {i}, {i})", "pow({i}, -1, {i})", "{i} << {e}", "{i} >> {e}", "{i} & {i}", "{i} | {i}", "{i} ^ {i}",
        "~{i}", "-{i}", "+{i}", "abs({i})", "({i}).bit_length()", "({i}).bit_count()", "({i}).to_bytes(9, 'big', signed=True)",
        "({i}).to_bytes({e}, 'little')", "int.from_bytes({v}, 'big')", "int.from_bytes({v}, 'little', signed=True)", "hex({i})", "oct({i})",
        "bin({i})", "round({i}, {e})", "round({i}, -{e})", "({i}).as_integer_ratio()", "({i}).numerator", "({i}).real", "({i}).conjugate()",
        "float({i})", "complex({i})", "chr({e})", "math.isqrt({i})", "math.gcd({i}, {i})", "math.lcm({i}, {i})", "math.factorial({e})",
        "math.comb({e}, {e})", "math.perm({e}, {e})", "max({i}, {i})", "min({i}, {f})", "sum([{i}, {i}, {f}])", "list(range({e}))", "{i} * {o}",
    ),
    "floats": (
        "{f} + {f}", "{f} - {f}", "{f} * {i}", "{f} / {f}", "{f} // {f}", "{f} % {f}", "divmod({f}, {f})", "{F} ** {F}", "{F} ** {e}", "{e} ** {F}",
        "int({f})", "round({f})", "round({f}, {e})", "({f}).is_integer()", "({f}).hex()", "float.fromhex(({f}).hex())", "({f}).as_integer_ratio()",
        "-({f})", "abs({f})", "math.floor({f})", "math.ceil({f})", "math.trunc({f})", "math.sqrt({f})", "math.log({f})", "math.log({i})", "math.log2({i})",
        "math.log({f}, {f})", "math.exp({f})", "math.fmod({f}, {f})", "math.remainder({f}, {f})", "math.frexp({f})", "math.modf({f})",
        "math.ldexp({f}, {e})", "math.copysign({f}, {f})", "math.fsum([{f}, {f}, {i}])", "math.prod([{f}, {i}])", "math.hypot({f}, {f})", "math.pow({f}, {f})",
        "math.isnan({f})", "math.isinf({i})", "math.isclose({f}, {f})", "math.nextafter({f}, {f})", "math.ulp({f})", "math.cbrt({f})", "math.atan2({f}, {f})",
        "math.acos({f})", "math.gamma({f})", "math.degrees({f})", "float({w})", "int({w})", "float({a})", "max({f}, {f})", "sorted([{f}, {i}])", "({f}).real",
    ),
    "complex": (
        "{z} + {f}", "{z} * {z}", "{z} / {z}", "{z} ** {e}", "{z} ** 0.5", "abs({z})", "({z}).conjugate()", "({z}).imag", "complex({w})", "complex({f}, {f})",
        "complex({z}, {f})", "{z} == {a}", "{z} - {i}", "-({z})", "{z} < {a}", "int({z})", "({z}).real + {i}", "str({z})", "bool({z})", "{z} * {s}",
    ),
    "numpy": (
        "{s} + {i}", "{i} + {s}", "{s} - {s}", "{s} * {f}", "{s} + {s}", "{s} * {s}", "{s} / {s}", "{s} // {s}", "{s} % {i}", "divmod({s}, {s})", "{s} ** {e}",
        "{S} ** {S}", "-{s}", "~{s}", "abs({s})", "{s} << {e}", "{s} >> {e}", "{s} & {i}", "{s} | {s}", "{s} ^ {s}", "{s} < {s}", "{s} == {i}", "{s} >= {f}", "{s} != {a}",
        "s.dtype", "u.itemsize", "{s}.item()", "int({s})", "float({s})", "bool({s})", "round({s})", "round({s}, {e})", "np.{T}({s})", "np.{T}({i})", "np.{T}({f})",
        "np.{T}({a})", "{s}.astype(np.{T})", "np.array({i})", "np.asarray({a})", "np.add({i}, {i})", "np.multiply({i}, {i})", "np.maximum({i}, {s})", "np.power({e}, {e})",
        "np.floor_divide({i}, {s})", "np.sum([{i}, {i}])", "np.prod([{e}, {s}])", "np.sqrt({a})", "np.sign({a})", "np.abs({i})", "np.isnan({f})", "np.floor({f})",
        "np.result_type({s}, {i})", "np.min_scalar_type({i})", "np.can_cast({s}.dtype, np.{T})", "np.promote_types({s}.dtype, np.{T})", "np.where({t}, {s}, {i})",
        "np.array([{i}, {f}])", "np.array([{s}, {i}])", "np.full(2, {i})", "np.clip({s}, 0, {i})", "{s}.real", "{s}.tolist()", "str({s})", "repr({s})", "f'{{{s}}}'",
        "np.isscalar({a})", "np.iinfo(np.{T}).max + {e}", "np.finfo(np.{T}).eps", "np.left_shift({s}, {e})", "np.bitwise_not({s})", "np.emath.sqrt({f})", "np.real_if_close({z})",
        "np.round({f}, {e})", "np.mod({f}, {f})", "np.divmod({s}, {i})", "np.gcd({i}, {s})", "np.logical_and({a}, {s})", "np.equal({s}, {a})", "hash({i})",
    ),
    "arrays": (
        "{k} + {i}", "{k} * {s}", "{k}.item()", "{k}[()]", "int({k})", "float({k})", "bool({k})", "{k}.astype(np.{T})", "{k} == {a}", "-{k}", "{k}.ndim", "len({k})", "{k}.sum()",
        "{k}.tolist()", "str({k})", "f'{{k:.2f}}'", "np.sqrt({k})", "{k} ** {e}", "{k} // {i}", "round({f}) + {k}", "{k} < {i} < {k}", "{k}.dtype.name", "{k}.copy()",
    ),
    "dates": (
        "{d} + {h}", "{d} - {d}", "{h} / {h}", "{h} * {i}", "{h} // {h}", "{h} % {h}", "{d} < {d}", "{d} == {a}", "{d}.astype('M8[M]')", "{h}.astype('m8[s]')", "{d}.astype(int)",
        "str({d})", "{d}.item()", "{h}.item()", "np.isnat({d})", "abs({h})", "-{h}", "{h} + {i}", "{d} + {i}", "np.datetime64({w})", "max({h}, {h})", "int({h})", "{h} * {f}", "repr({h})",
    ),
    "texts": (
        "{w} + {w}", "{w} * {e}", "{w}[{e}]", "{w}[{e}:]", "{w}[::-1]", "{w}[:{e}]", "{w}.upper()", "{w}.strip()", "{w}.split()", "{w}.split(',')", "','.join([{w}, {w}])", "{w}.join({w})",
        "{w}.replace({w}, 'x')", "{w}.find({w})", "{w}.index({w})", "{w}.count('a')", "{w}.startswith({w})", "{w}.isdigit()", "{w}.title()", "{w}.partition('b')", "{w}.zfill({e})",
        "{w}.center({e}, '*')", "{w}.encode()", "{w}.encode('ascii')", "{w}.encode('latin-1', 'replace')", "{w}.translate({{97: 'z', 98: None}})", "{w}.casefold()", "{w} < {w}", "{w} in {w}",
        "{w} == {a}", "ord({w})", "sorted({w})", "list({w})", "len({w})", "bool({w})", "repr({w})", "int({w}, 16)", "int({w}, {e})", "'{{}} {{!r:>6}}'.format({w}, {w})",
        "'%s-%r' % ({w}, {a})", "'%d' % {a}", "'%5.2f' % {a}", "'%x' % {i}", "'%c' % {i}", "'%*d' % ({e}, {i})", "f'{{{q}!r}}'", "f'{{{q}:>{{len(w)}}}}'", "'{{0}}{{1}}{{0}}'.format({a}, {w})",
        "'{{x:{{yy}}}}'.format(x={i}, yy={e})", "max({w}, {w})", "{w}.splitlines()", "{w}.removeprefix('a')", "{w}.rsplit('b', 1)", "str({v}, 'latin-1')", "{w}.isidentifier()", "{w}.swapcase()",
        "'a' < {w} <= 'z'", "tuple({w})", "len(set({w}))", "dict.fromkeys({w}, {i})", "{w}.format({i})", "{w} % ()", "ascii({w})", "np.str_({w})", "[q * 2 for q in {w}]",
    ),
    "bytes": (
        "{v} + {v}", "{v}[{e}]", "{v}[{e}:]", "{v} * {e}", "{v}.hex()", "{v}.decode()", "{v}.decode('latin-1')", "{v}.decode('ascii', 'ignore')", "bytes([{i}])", "bytes({e})", "bytearray({v})",
        "{v} == {w}", "{i} in {v}", "{v} in {v}", "{v} < {v}", "list({v})", "{v}.split(b'b')", "{v}.replace(b'a', {v})", "b','.join([{v}, {v}])", "bytes.fromhex({w})", "sum({v})", "str({v})",
        "int({v})", "b'%d' % {i}", "{v}.upper()", "np.frombuffer({v}, np.uint8)", "{v}.find({i})", "max({v})", "memoryview({v})[0]", "np.bytes_({v})",
    ),
    "mixed": (
        "{a} + {a}", "{a} - {a}", "{a} * {e}", "{a} / {i}", "{a} // {i}", "{a} % {i}", "-({a})", "+({a})", "~({a})", "abs({a})", "{a} < {a}", "{a} == {a}", "{a} != {a}", "{a} <= {a} < {a}", "{i} < {f} != {i}", "{a} in ({a}, {i})",
        "not {a}", "{a} and {a}", "{a} or {a}", "({a} if {t} else {a})", "({a} if {a} else {i})", "bool({a})", "int({a})", "str({a})", "repr({a})", "format({a}, {g})", "f'{{{q}}} {{{q}}}'", "f'{{{q}=}}'",
        "f'{{{q}!r:>8}}'", "f'{{{q}:{G}}}'", "f'{{n:{G}}} {{m:{G}}}'", "f'{{t:{G}}}'", "f'{{t:.{{n % 5}}f}}'", "f'{{s:{G}}}'", "type({a})", "isinstance({a}, (int, str))", "isinstance({a}, np.generic)", "[{a}, {a}]",
        "({a}, {i})", "{{{i}: {a}}}", "{{{f}: {a}}}", "say('x', {a})", "say('y', {a}) + {i}", "max({a}, {a})", "sum([{a}, {a}])", "any([{a}, {i}])", "all(({a}, {f}))", "hash({i}) == hash({f})", "len({a})",
        "a", "b", "c", "d", "{n} is None", "{t}", "complex({a})", "round({a}, {e})", "{o} + {i}", "{o} == {a}", "str({o})", "{o} * {e}", "b + {o}", "float({o})", "{o} < {a}", "round({o}, 1)",
    ),
}  # fmt: skip
"""Expressions by what they are about; a letter in braces is a place of that kind: a hole, ``a`` any value, ``t`` a test,
``F`` and ``S`` numbers of a known size, ``T`` a dtype, ``o`` the argument of some other class."""

TYPES: Final = ("int8", "uint8", "int16", "uint32", "int64", "uint64", "float16", "float32", "float64", "complex64", "bool_")  # fmt: skip
TESTS: Final = (
    "n > 1", "t > 0", "m", "w", "s > 0", "u", "{i} < {i}", "{a} == {a}", "{w} in w", "isinstance({a}, int)", "a", "b", "type(c) is float", "{f} != {f}", "0 <= {i} < 8",
    "len(LOG) > 2", "k > 0", "not z", "{i} % 2", "isinstance({a}, str)", "t == t", "n and t", "m or w", "s == u", "{s} < {i}",
)  # fmt: skip
CHANGES: Final = (
    "{n} += {i}", "{n} *= {e}", "{n} -= {f}", "{n} //= {i}", "{n} /= {i}", "{n} %= {i}", "{n} = str({n})", "{n} = float({n})", "{n} = int({n})", "{n} += {s}", "{n} |= {i}", "{n} >>= 1", "{n} &= {i}",
    "{n} = [{n}]", "{n} += {w}", "{n} = {n}, {i}", "{n} = not {n}", "{n} = -{n}", "a, b = b, a", "c = d", "LOG.append({a})", "LOG.append(told({a}))", "print({a}, {a})", "print(f'{{{q}}}', {a}, sep={w})",
    "n = n // 2", "w = w + 'x'", "t = t * 0.5", "s = s + {e}", "k += 1", "m = -m", "if {t}: return {a}", "assert {t}, {a}", "assert {t}, f'{{{q}}}!'", "if {t}: raise ValueError({a})", "say('s', {a})", "z = z * {i}",
    "{n} = {n} if {t} else {a}", "{n} = {n} or {a}", "{n} = k[()]", "k = k.copy()", "{n} = complex({n})", "del LOG[3:]",
)  # fmt: skip
HEADS: Final = (
    "if {t}:", "if {t}:", "for i in range(n % 4):", "for i in range(3):", "for q in ({a}, {i}, {f}):", "for q in w:", "for q in v:", "for q in ({i}, {w}):", "while len(LOG) < 4 and {t}:",
    "for i, q in enumerate([{a}, {a}]):", "with np.errstate(all='raise'):", "with np.errstate(over='ignore', invalid='ignore'):",
)  # fmt: skip
CASES: Final = (
    "case 0 | 1:", "case -1 | 2.5:", "case True:", "case None:", "case 'a' | '':", "case b'ab':", "case int(p):", "case bool():", "case str() as p:", "case float(real=p):", "case complex():",
    "case np.float64():", "case np.uint8() | np.int8():", "case [p, *_]:", "case (p, q):", "case {{'x': p}}:", "case int() | float() as p if p > {i}:", "case p if {t}:", "case 1j:", "case [0, 1.0]:",
    "case str(p) if p < 'b':", "case np.ndarray(ndim=0):", "case bytes():", "case [str(), int()]:",
)  # fmt: skip
SUBJECTS: Final = (
    "{a}",
    "{i}",
    "{f}",
    "{s}",
    "{w}",
    "({a}, {i})",
    "[{i}, {f}]",
    "{{'x': {a}}}",
    "{n}",
    "{o}",
    "{k}",
)
ERRORS: Final = ("Exception", "(ValueError, TypeError)", "(ZeroDivisionError, OverflowError, FloatingPointError)", "ArithmeticError")  # fmt: skip
NAMES: Final = ("a", "b", "c", "d")


@dataclass
class Scalars(Draft):
    """A program in the making.

    Args:
        forms: the expressions that it is made of.
        holes: what stands in each kind of place.
        loops: how many of the statements that stand around are loops.
    """

    budget: int = 11
    forms: list[str] = field(default_factory=list)
    holes: dict[str, list[str]] = field(default_factory=dict)
    loops: int = 0

    def __post_init__(self) -> None:
        about = self.rng.sample(list(FORMS), 3)
        self.forms = [self.rng.choice(FORMS[self.rng.choice([*about, "mixed"])]) for _ in range(6)]
        self.holes = {kind: self.rng.sample(options, min(3, len(options))) for kind, options in HOLES.items()}

    def expression(self, depth: int = 2) -> str:
        """One of the program's expressions."""
        return self.fill(self.rng.choice(self.forms), depth)

    def value(self, depth: int) -> str:
        """Any value: a name, a number or a text, an expression."""
        kind = self.rng.random()
        if kind < 0.4:
            return self.rng.choice(NAMES)
        if kind < 0.7 or not depth:
            return self.place(self.rng.choice("iifszw"), 0)
        return f"({self.expression(depth - 1)})"

    def place(self, kind: str, depth: int) -> str:
        """Return the content of a place."""
        match kind:
            case "t":
                return self.fill(self.rng.choice(TESTS), 0)
            case "n":
                return self.rng.choice(NAMES)
            case "a":
                return self.value(depth)
            case "T":
                return self.rng.choice(TYPES)
            case "q":
                return self.rng.choice((*NAMES, *PARAMETERS.split(", ")))
            case "G":
                return self.rng.choice(self.holes["g"]).strip("'")
            case "F" | "S":
                return self.rng.choice(self.holes[kind.lower()])
            case _ if kind in "ifsw" and self.rng.random() < 0.15:
                return self.rng.choice(NAMES)
            case _ if kind in GIVEN and self.rng.random() < 0.4:
                return self.rng.choice(GIVEN[kind])
            case _:
                return self.rng.choice(self.holes[kind])

    def fill(self, form: str, depth: int = 1) -> str:
        """A form with its places filled in."""
        text = re.sub(r"\{([a-zA-Z])\}", lambda match: self.place(match[1], depth), form)
        return text.replace("{{", "{").replace("}}", "}")

    def statement(self) -> None:
        self.budget -= 1
        kind = self.rng.random()
        if self.depth == 1 and kind < 0.7:
            self.attempt()  # most of what stands alone would end the program
        elif kind < 0.3 and self.depth < 4:
            self.compound()
        elif kind < 0.6:
            self.line(self.fill(self.rng.choice(CHANGES)))
        elif kind < 0.63 and self.loops:
            self.line(f"if {self.fill('{t}')}: {self.rng.choice(['break', 'continue'])}")
        else:
            self.line(f"{self.rng.choice(NAMES)} = {self.expression()}")

    def compound(self) -> None:
        kind = self.rng.random()
        if kind < 0.3:
            self.attempt()
            return
        if kind < 0.45:
            self.match()
            return
        head = self.fill(self.rng.choice(HEADS))
        loop = head.startswith(("for", "while"))
        self.line(head)
        if head.startswith("while"):
            self.line("    LOG.append(None)")
        self.loops += loop
        self.suite()
        self.loops -= loop
        if not head.startswith("with") and self.rng.random() < 0.4:
            self.line("else:")
            self.suite()

    def attempt(self) -> None:
        self.line("try:")
        self.suite()
        self.line(f"except {self.rng.choice(ERRORS)} as error:")
        self.line(f"    {self.rng.choice(NAMES)} = type(error).__name__, str(error)")

    def match(self) -> None:
        self.line(f"match {self.fill(self.rng.choice(SUBJECTS))}:")
        self.depth += 1
        for case in self.rng.sample(CASES, self.rng.randint(1, 3)):
            self.line(self.fill(case))
            bound = re.search(r"\bp\b", case.partition(" if ")[0])
            self.depth += 1
            self.line(f"{self.rng.choice(NAMES)} = p" if bound else f"LOG.append({self.fill('{a}')})")
            self.depth -= 1
            if self.rng.random() < 0.6:
                self.suite()
        self.depth -= 1


def values(rng: random.Random) -> str:
    """Return the arguments of a program: their classes, and for each call their values."""
    (s, u), other = rng.sample(SCALARS, 2), rng.choice([*OTHERS, *SCALARS])
    last = rng.choice(SCALARS)[0]
    ints = rng.choice(
        ["[5, 0, -3, 2]", "[10**20, 2, 0, 7]", "[7, 2**63, -1, True]", "[255, -(10**30), 1, 3]"]
    )
    k = ", ".join(f"np.array({one})" for one in rng.choice(SCALARS))
    rows = {"S": [*s, last], "U": [*u, u[0]], "K": [k, "np.array(2.5)"], "C": [*other, "3"]}
    lines = [f"INTS = {ints}"] + [f"{name} = [{', '.join(row)}]" for name, row in rows.items()]
    return "\n".join(lines) + "\n"


def program(rng: random.Random) -> tuple[str, int]:
    """The source of a random program, and how many statements it has."""
    given = values(rng)
    made = Scalars(rng)
    made.line(
        f"a, c, d = {', '.join(rng.choice(made.holes[kind]) for kind in rng.choice(['ifs', 'fiw', 'izs', 'iii']))}"
    )
    while made.budget > 0:
        made.statement()
    made.line("return a, b, c, d, told(a), told(b), told(c), told(d)")
    return f"{HEADER}{given}{FOOTER}def f({PARAMETERS}):\n" + "\n".join(made.lines) + "\n", len(made.lines)
