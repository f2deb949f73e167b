"""The text of ops: one row for each that is no plain call.

An op with a row in ``ROWS`` is written by its template, whose holes stand for its arguments.  All others are functions
called by their dotted name, of which ``xp`` is the module that JAX's functions are called from, or methods of their first
argument, as ``.reshape``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

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
from astrace.ops.python import operators
from astrace.util.trees import Pattern, Tree


@dataclass(frozen=True, slots=True)
class OpRow:
    """The row of one op.

    Args:
        template: its text; a hole ``{number:level}`` stands for an argument that has to bind so tightly,
            ``{number:key}`` for the key of an array, ``{number:items}`` for the first items of a list.  Empty for a
            call by the op's name.
        level: the binding level of the text.
    """

    template: str = ""
    level: int = ATOM


def _infix(symbol: str) -> OpRow:
    """Return the row of an operator between two operands."""
    level = LEVELS[symbol]
    if symbol == "**":
        return OpRow(f"{{0:{level + 1}}} ** {{1:{UNARY}}}", level)
    left = level + 1 if level == COMPARISON else level
    return OpRow(f"{{0:{left}}} {symbol} {{1:{level + 1}}}", level)


def _prefix(symbol: str) -> OpRow:
    """Return the row of an operator in front of its operand."""
    return OpRow(f"{symbol}{{0:{UNARY}}}", UNARY)


def _compared(template: str) -> OpRow:
    """Return the row of a comparison."""
    return OpRow(template, COMPARISON)


ROWS: Final[Mapping[str, OpRow]] = {
    # -- operators
    **{name: _infix(symbol) for name, symbol in operators.ARITHMETIC.items()},
    **{name: _infix(symbol) for name, symbol in operators.COMPARISON.items()},
    **{name: _prefix(symbol) for name, symbol in operators.UNARY.items()},
    # -- logic
    "both": _infix("&"),
    "either": _infix("|"),
    "same_length": _infix("=="),
    "not": _prefix("~"),
    "not_known": OpRow(f"not {{0:{NOT}}}", NOT),
    # -- places of arrays
    "item": OpRow("{0:20}[{1:key}]"),
    "update": OpRow("{0:20}.at[{2:key}].set({1})"),
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
}
"""The ops that are not plain calls."""

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
    row = ROWS.get(op)
    if row is not None:
        return Code(_filled(row.template, args, leaf), row.level)
    shown = [lay_out(one, leaf).at(TERNARY) for one in args]
    shown += [f"{name}={lay_out(one, leaf).at(TERNARY)}" for name, one in kwargs.items()]
    if op.startswith("."):
        owner = lay_out(args[0], leaf).at(ATOM)
        return Code(f"{owner}{op}({', '.join(shown[1:])})")
    function = f"{home}.{op.removeprefix('xp.')}" if op.startswith("xp.") else op
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
