"""Programs, blocks as XLA can run them: values without identity, no writes, no exceptions; and the ops of their nodes.

A *program* is a `Block` made by ``lower`` and written as text by ``emit``.  Its values hold what JAX computes, or
Python objects that are known when JAX traces: sizes and what follows from them.  A node makes new values out of
others; regions see the values around them, as nested functions do, and capture nothing.

============== ============================================== =====================================
node           inputs                                         regions (each given …)
============== ============================================== =====================================
``cond``       test                                           then, orelse ()
``while_loop`` carried…                                       test, body (carried…)
``for_loop``   start, stop, carried…                          body (index, carried…)
``unrolled_…`` as the loops; Python runs it when JAX traces
``scan``       start, stop, carried…                          body (index, carried…); puts out rows, too
``function``   its interface                                  body (leaves of the arguments)
============== ============================================== =====================================

An op with a row in ``ROWS`` is written by its template, whose holes stand for its arguments.  All others are functions
called by their dotted name, as ``jnp.where`` and ``support.gcd``, or methods of their first argument, as ``.reshape``.

A node that ``raises`` is one that JAX may refuse when it traces, as NumPy would raise: it stays, even if it is not
used.  Where a node of control flow has the attribute ``promotes``, the outputs of its regions may differ in dtype, and
JAX's promotion decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias, final

import numpy as np

from astrace.backends.python_source.expressions import (
    ATOM,
    COMPARISON,
    NOT,
    TERNARY,
    UNARY,
    Code,
    index_text,
    lay_out,
)
from astrace.backends.python_source.spelling import LEVELS
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ANY, ArraySpec, Spec
from astrace.ops.python import operators
from astrace.passes.open_blocks import OpenEffects
from astrace.util.trees import Pattern, Tree

LOGIC: Final = "logic"
"""Ops on truth values, and comparisons of lengths: their results may be known though their operands are not."""
NO_WARNING: Final = "no_warning"
"""Tests that NumPy does not warn of a float; the leaves that it was computed from are the other operands."""
AS_WRITTEN: Final = "as_written"
"""The op of a step that is a node of the user's own, written as the user wrote it."""
PLACE: Final = "place"
"""Ops that read or change one place of an array, which is known to be inside."""
CONTROL: Final = "control"
"""Ops with parts."""


@dataclass(frozen=True, slots=True)
class OpRow:
    """The row of one op.

    Args:
        template: its text; a hole ``{number:level}`` stands for an argument that has to bind so tightly,
            ``{number:key}`` for the key of an array, ``{number:items}`` for the first items of a list.  Empty for a
            call by the op's name.
        level: the binding level of the text.
        kind: one of the kinds above; empty for all other computations, which JAX may refuse.
    """

    template: str = ""
    level: int = ATOM
    kind: str = ""

    @property
    def may_refuse(self) -> bool:
        """True if JAX may refuse the op when it traces, as NumPy would raise."""
        return not self.kind


def _infix(symbol: str, kind: str = "") -> OpRow:
    """Return the row of an operator between two operands."""
    level = LEVELS[symbol]
    if symbol == "**":
        return OpRow(f"{{0:{level + 1}}} ** {{1:{UNARY}}}", level, kind)
    left = level + 1 if level == COMPARISON else level
    return OpRow(f"{{0:{left}}} {symbol} {{1:{level + 1}}}", level, kind)


def _prefix(symbol: str, kind: str = "") -> OpRow:
    """Return the row of an operator in front of its operand."""
    return OpRow(f"{symbol}{{0:{UNARY}}}", UNARY, kind)


def _compared(template: str) -> OpRow:
    """Return the row of a comparison."""
    return OpRow(template, COMPARISON)


ROWS: Final[Mapping[str, OpRow]] = {
    # -- operators
    **{name: _infix(symbol) for name, symbol in operators.ARITHMETIC.items()},
    **{name: _infix(symbol) for name, symbol in operators.COMPARISON.items()},
    **{name: _prefix(symbol) for name, symbol in operators.UNARY.items()},
    # -- logic
    "both": _infix("&", LOGIC),
    "either": _infix("|", LOGIC),
    "same_length": _infix("==", LOGIC),
    "not": _prefix("~", LOGIC),
    "not_known": OpRow(f"not {{0:{NOT}}}", NOT, LOGIC),
    # -- places of arrays
    "item": OpRow("{0:20}[{1:key}]", kind=PLACE),
    "update": OpRow("{0:20}.at[{2:key}].set({1})", kind=PLACE),
    # -- control flow
    **dict.fromkeys(
        (
            *("cond", "while_loop", "bounded_while", "for_loop", "scan"),
            *("unrolled_for", "unrolled_while", "function"),
        ),
        OpRow(kind=CONTROL),
    ),
    # -- attributes, and tests of them
    **{name: OpRow(f"{{0:20}}.{name}") for name in ("T", "mT", "real", "imag")},
    "dim": OpRow("{0:20}.shape[{1}]"),
    "rows_and": OpRow("{0:20}.shape[0] + {1}", LEVELS["+"]),
    "more_rows": _compared("{0:20}.shape[0] > {1}"),
    "has_size": _compared("{0:20}.size == {1}"),
    "has_items": _compared("{0:20}.size > 0"),
    "is_long": _compared("min({0:20}.shape, default=0) > 1"),
    "is_square": _compared("{0:20}.shape[-1] == {0:20}.shape[-2]"),
    "is_high": _compared("{0:20}.shape[0] >= {0:20}.shape[1]"),
    "begins_shaped": _compared("{0:20}.shape[:{1}] == {2:20}.shape"),
    "same_shape": _compared("jnp.shape({0}) == {1:20}.shape"),
    "no_shape": _compared("() == {1:20}.shape"),
    # -- conditions
    "within": OpRow("({1} <= {0:6}) & ({0:6} <= {2})", LEVELS["&"]),
    "magnitude_within": _compared("abs({0}) <= {1}"),
    "sum_within": _compared("jnp.sum(jnp.abs(jnp.float64({0}))) < {1}"),
    "all_ne": OpRow("jnp.all({0:6} != {1})"),
    "all_ge": OpRow("jnp.all({0:6} >= {1})"),
    "all_within": OpRow("jnp.all(({0:7} >= {1}) & ({0:7} <= {2}))"),
    "all_finite": OpRow("jnp.all(jnp.isfinite({0}))"),
    "no_nan": OpRow("~jnp.any(jnp.isnan({0}))", UNARY),
    "no_infinity": OpRow("~jnp.any(jnp.isinf({0}))", UNARY),
    "none_between": OpRow("~jnp.any(({0:6} > {1}) & ({0:6} < {2}))", UNARY),
    "weighs": OpRow("support.weighs({0}, {2}, {1})"),
    "in_size": OpRow("support.all_inside({0}, {1:20}.size)"),
    "in_dim": OpRow("support.all_inside({0}, {1:20}.shape[{2}])"),
    # -- numbers
    "complex": OpRow("lax.complex(jnp.float64({0}), jnp.float64({1}))"),
    "bit_length": OpRow("64 - lax.clz(jnp.abs({0}))", LEVELS["-"]),
    "number": OpRow("jnp.asarray({0}, {1}).reshape(())"),
    "real_part": OpRow("jnp.real({0}).astype({1})"),
    "range_length": OpRow("len(range({0}, {1}, {2}))"),
    "distance": OpRow("jnp.clip({0} - {1}, 0, {2})"),
    "from_start": OpRow("jnp.where({0} < 0, {0} + {1}, {0})"),
    "slice_start": OpRow("support.slice_start({0}, {1}, {3})"),
    "place": OpRow("support.place(range({0})[{2:key}], {1})"),
    # -- arrays
    "same": OpRow("{0:20}"),
    "index": OpRow("{0:20}[{1}]"),
    "new_axis": OpRow("{0:20}[..., None]"),
    "full_shaped": OpRow("jnp.full({0:20}.shape, {1})"),
    "spread_like": OpRow("jnp.broadcast_to({1}, {0:20}.shape)"),
    "where_else": OpRow("jnp.where({1}, {2}, {0})"),
    "where_fit": OpRow("jnp.where({1}, support.fitting({2}, {0:20}.shape), {0})"),
    "fit_to_part": OpRow("support.fitting({0}, {1:20}[{2:key}].shape)"),
    "same_place": OpRow("support.same_place({0:20}.shape, {1}, {2})"),
    **{
        f"{name}_at": OpRow(f"{{0:20}}.at[{{2:key}}].{name}({{1:12}})")
        for name in ("add", "multiply", "min", "max")
    },
    "subtract_at": OpRow("{0:20}.at[{2:key}].add(-{1:12})"),
    **{
        f"{name}_row": OpRow(f"jnp.{name}({{0}}, {{1}}, {{2}})[{{3}}]")
        for name in ("triu_indices", "tril_indices")
    },
    # -- views, and putting parts back
    "window": OpRow("lax.dynamic_slice_in_dim({0}, {2}, {3}, {1})"),
    "front": OpRow("support.front({0}, {1}, {2}, {3})"),
    "front_back": OpRow("support.put_front({0}, {1}, {2}, {3}, {4}, {5})"),
    "front_window": OpRow("support.window({0}, {1}, {2}, {5})"),
    "reshape_back": OpRow("{0:20}.reshape({1:20}.shape)"),
    "real_back": OpRow("support.with_real({1}, {0})"),
    "imag_back": OpRow("support.with_imag({1}, {0})"),
    "swapaxes_back": OpRow("jnp.swapaxes({0}, {2}, {3})"),
    "window_back": OpRow("lax.dynamic_update_slice_in_dim({1}, {0}, {3}, {2})"),
    # -- containers of Python's when JAX traces
    "container": OpRow("{0}"),
    "with_rows": OpRow("[{0:items}*{1:20}]"),
    "with_item": OpRow("(*{0:20}, {1})"),
    # -- floats that NumPy does not warn of
    **dict.fromkeys(
        ("support.no_warning", "support.no_warnings", "support.no_warning_as_a_whole"), OpRow(kind=NO_WARNING)
    ),
}
"""The ops that are not plain calls."""
CALL: Final = OpRow()
"""The row of all functions and methods that are called by their names."""


def row_of(op: str) -> OpRow:
    """Return the row of an op."""
    return ROWS.get(op, CALL)


def scalar_type(dtype: np.dtype[Any]) -> str:
    """Return the op that makes a JAX scalar of a dtype."""
    return f"jnp.{dtype.name if dtype.kind != 'b' else 'bool_'}"


HOLE: Final = re.compile(r"\{(\d+)(?::(\w+))?\}")
Constants = Callable[[Any], Code]
"""Returns the text of an argument that is not a variable."""


def spelled(
    op: str, codes: Sequence[Code], layout: Pattern | None, constant: Constants, home: str = "jnp"
) -> Code:
    """Return the expression of an op.

    Args:
        op: its name.
        codes: its operands.
        layout: the pattern that lays them out as arguments; ``None`` for one after the other.
        constant: returns the text of the other arguments.
        home: the module that JAX's functions are called from.
    """

    def leaf(part: Any) -> Code:
        return part if isinstance(part, Code) else constant(part)

    args, kwargs = (codes, {}) if layout is None else layout.fill(codes)
    row = row_of(op)
    if row.template:
        return Code(_filled(row.template, args, leaf), row.level)
    shown = [lay_out(one, leaf).at(TERNARY) for one in args]
    shown += [f"{name}={lay_out(one, leaf).at(TERNARY)}" for name, one in kwargs.items()]
    if op.startswith("."):
        owner = lay_out(args[0], leaf).at(ATOM)
        return Code(f"{owner}{op}({', '.join(shown[1:])})")
    function = f"{home}.{op.removeprefix('jnp.')}" if op.startswith("jnp.") else op
    return Code(f"{function}({', '.join(shown)})")


def _filled(template: str, args: Sequence[Tree], leaf: Constants) -> str:
    """Fill the holes of a template, with parentheses where they are needed."""

    def text(match: re.Match[str]) -> str:
        part, wanted = args[int(match[1])], match[2]
        if wanted == "key":
            return _key(part, leaf)
        if wanted == "items":
            return "".join(f"{lay_out(one, leaf).at(TERNARY)}, " for one in part)
        return lay_out(part, leaf).at(int(wanted or TERNARY))

    return HOLE.sub(text, template)


def _key(key: Sequence[Tree], leaf: Constants) -> str:
    """Write a key between the brackets behind an array."""
    return ", ".join("..." if part is ... else index_text(part, leaf) for part in key) or "()"


# -- values and nodes -----------------------------------------------------------------------------------------


DEVICE: Final = np.dtype(object)
"""The dtype of a value that holds any result of JAX, in a program of JAX's own functions."""
PROMOTES: Final[Mapping[str, Any]] = {"promotes": True}


@dataclass(frozen=True, slots=True)
class Lit(Constant):
    """A constant of a program, equal to others of the same value; a Python number is written as it is."""


Atom: TypeAlias = Operand
"""An operand of a program."""


def variable(dtype: np.dtype[Any] | None, rank: int = 0, name: str = "") -> Value:
    """Return a new value of a program.

    Args:
        dtype: the dtype of the JAX value it holds; ``None`` for a Python object that is known when JAX traces.
        rank: its number of dimensions.
        name: the user's name for it, if there is one.
    """
    return Value(ANY if dtype is None else ArraySpec((None,) * rank, dtype), name)


def value_like(value: Value) -> Value:
    """Return a new value of the same dtype, rank and name."""
    return Value(value.spec, value.name)


def atom_dtype(atom: Atom) -> np.dtype[Any] | None:
    """Return the dtype of a JAX value; ``None`` for what is known when JAX traces."""
    return atom.spec.dtype if isinstance(atom, Value) and isinstance(atom.spec, ArraySpec) else None


def atom_rank(atom: Atom) -> int:
    """Return the number of dimensions of a JAX value; 0 for what is known when JAX traces."""
    return len(atom.spec.shape) if isinstance(atom, Value) and isinstance(atom.spec, ArraySpec) else 0


def rank_of(spec: Spec) -> int:
    """Return the number of dimensions of a result."""
    return len(spec.shape) if isinstance(spec, ArraySpec) else 0


def identity(atom: Atom) -> Hashable:
    """Return a key that equal atoms have in common."""
    if isinstance(atom, Value):
        return id(atom)
    value = atom.value
    plain = isinstance(value, bool | int | float | complex | str | tuple | np.dtype | type(None))
    return (type(value), repr(value)) if plain else id(value)


def is_host(atom: Atom) -> bool:
    """Return whether an atom is known when JAX traces."""
    return atom_dtype(atom) is None


def known_logic(op: str, left: Atom, right: Atom) -> Atom | None:
    """Return ``both`` or ``either`` of two truth values where it is known: of ``x & True``, ``x | x`` and the like."""
    neutral = op == "both"
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Constant):
            return other if bool(one.value) is neutral else Lit(not neutral)
    return left if left is right else None


@final
class Missing:
    """Stands for an array that a branch or a loop lacks; its shape is that of the other branch, or the next iteration."""

    def __repr__(self) -> str:
        return "support.MISSING"


MISSING: Final = Missing()


@dataclass(slots=True)
class UnfinishedBlock:
    """A block in the making.

    Args:
        inputs: its inputs.
        nodes: the nodes written so far.
        known: values of expressions that are written once, by op and operands.
    """

    inputs: list[Value] = field(default_factory=list[Value])
    nodes: list[Node] = field(default_factory=list[Node])
    known: dict[Hashable, Value] = field(default_factory=dict[Hashable, Value])

    def block(self, outputs: tuple[Atom, ...]) -> Block:
        """Return the finished block."""
        return Block(tuple(self.inputs), tuple(self.nodes), outputs)

    def note_refusals(self, first: int) -> None:
        """Mark nodes from ``first`` on that JAX may refuse when it traces, as NumPy would raise.

        These compute with arrays, or results that are known when JAX traces.
        """
        for index, node in enumerate(self.nodes[first:], first):
            arrays = any(atom_rank(atom) for atom in node.inputs)
            made = any(atom_dtype(out) is None or atom_dtype(out) == DEVICE for out in node.outputs)
            if row_of(node.op).may_refuse and (arrays or made):
                self.nodes[index] = replace(node, raises=True)


LOOPS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("while_loop", "unrolled_while"), 0),
    **dict.fromkeys(("bounded_while", "for_loop", "scan", "unrolled_for"), 2),
}
"""The nodes that are loops, and the number of inputs in front of the carried values."""
EFFECTS: Final = OpenEffects(LOOPS)


def key_of(node: Node) -> tuple[Tree, ...]:
    """Return the key of an item or an update: atoms, slices of them, ``None`` and ``...``."""
    return node.attrs["pattern"].fill(node.inputs)[0][-1]
