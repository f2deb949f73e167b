"""Comparisons of tuples of numbers: ``(row, column) == goal``, ``(distance, node) < best``.

Python compares items one by one until two differ.  It takes an object for equal to itself, which only NaN is not: where two
NaN meet, the program is given up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.ir.block import Constant, Node, Operand
from astrace.ir.specs import BOOL as PYTHON_BOOL
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, Form, NumberForm, StaticForm, TupleForm
from astrace.passes.lowering.rules import Kwargs, Rule, form_of, scalar
from astrace.passes.lowering.unions import operator

COMPARISONS: Final = ("eq", "ne", "lt", "le", "gt", "ge")
YES: Final = Constant(True)


def with_comparisons(rules: Mapping[str, Rule]) -> dict[str, Rule]:
    """Return rules for comparisons of numbers and arrays, and those of tuples beside them.

    Args:
        rules: by op.
    """
    return {**rules, **{name: _comparison(name, rules[name]) for name in COMPARISONS}}


def _comparison(name: str, plain: Rule) -> Rule:
    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form | None:
        left, right = (_items(one) for one in args[:2])
        if left is None or right is None or kwargs or len(args) != 2 or node.output.spec != PYTHON_BOOL:
            return plain(writer, node, args, kwargs)
        return NumberForm(_compared(writer, name, left, right), PYTHON_BOOL)

    return rule


def _items(value: Any) -> Sequence[Any] | None:
    """Return the items of a tuple; ``None`` for anything else."""
    if isinstance(value, TupleForm):
        return value.items
    if isinstance(value, StaticForm):
        value = value.value
    return value if type(value) is tuple else None


def _compared(writer: LoweredWriter, name: str, left: Sequence[Any], right: Sequence[Any]) -> Operand:
    """Return the truth value of a comparison."""
    if name in ("eq", "ne") and len(left) != len(right):
        return Constant(name == "ne")
    pairs = [
        (scalar(writer, form_of(writer, one)), scalar(writer, form_of(writer, other)))
        for one, other in zip(left, right, strict=False)
    ]
    if name in ("eq", "ne"):
        equal: Operand = YES
        for pair in pairs:
            equal = writer.both(equal, _equal(writer, *pair))
        return equal if name == "eq" else writer.inverted(equal)
    lengths = {"lt": len(left) < len(right), "le": len(left) <= len(right)}
    lengths |= {"gt": len(left) > len(right), "ge": len(left) >= len(right)}
    found: Operand = Constant(lengths[name])
    for pair in reversed(pairs):
        ordered = operator(writer, name, pair, PYTHON_BOOL).operand
        found = writer.choose(_equal(writer, *pair), found, ordered, BOOL)
    return found


def _equal(writer: LoweredWriter, left: NumberForm, right: NumberForm) -> Operand:
    """Return whether two items are equal, for numbers that are equal to themselves."""
    if left.dtype.kind == right.dtype.kind and left.dtype.kind in "fc":
        writer.deopt(writer.both(_is_nan(writer, left), _is_nan(writer, right)))
    return operator(writer, "eq", (left, right), PYTHON_BOOL).operand


def _is_nan(writer: LoweredWriter, form: NumberForm) -> Operand:
    if isinstance(form.operand, Constant):
        return Constant(form.operand.value != form.operand.value)
    return writer.emit("ne", (form.operand, form.operand), BOOL)
