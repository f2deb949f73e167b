"""Rules of ufuncs, and of their methods."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.functions import table
from astrace.backends.jax.lower.rule import Rule, array_of, needed
from astrace.backends.jax.lower.scalars import arithmetic
from astrace.backends.jax.lower.scalars.operators import shape_beside, write_out
from astrace.ir.block import Node
from astrace.ir.specs import ArraySpec
from astrace.ops.numpy import reductions
from astrace.ops.numpy.names import FLOAT_PARTS, FLOAT_TESTS, ROUNDING, WARNING_UFUNCS
from astrace.ops.python.operators import UFUNCS
from astrace.passes.functional.conversions import assigned
from astrace.passes.functional.dtypes import BOOL
from astrace.passes.functional.forms import Array, Form, Number, Static
from astrace.passes.functional.indexing import dynamic_slices, items
from astrace.passes.functional.operands import numeric, resolved
from astrace.passes.functional.program import Atom
from astrace.passes.functional.state import Lowering

OPERATORS: Final = frozenset(ufunc.__name__ for name, ufunc in UFUNCS.items() if name != "matmul")
UFUNC_NAMES: Final = WARNING_UFUNCS.union(
    *(OPERATORS, FLOAT_PARTS, FLOAT_TESTS, ROUNDING, ("maximum", "minimum", "true_divide", "mod")),
    ("logical_and", "logical_or", "logical_xor", "logical_not", "conjugate", "gcd", "lcm", "bitwise_count"),
)
"""Ufuncs that JAX has, too."""


def _ufunc(function: np.ufunc) -> Rule:
    def make(state: Lowering, node: Node, *args: Any, **given: Any) -> Form:
        out = args[function.nin] if len(args) > function.nin else given.pop("out", None)
        out = out[0] if type(out) is tuple else out
        if given:
            raise state.refusal("AT304", f"the argument {next(iter(given))} of np.{function.__name__}")
        forms = list(map(state.given, args[: function.nin]))
        if out is None:
            return arithmetic.ufunc(state, function, forms, node.output.spec)
        numbers = [numeric(state, form) for form in forms]
        dtype = resolved(state, function, numbers)[-1]
        spec = ArraySpec(shape_beside(numbers, needed(state, Array, out, "`out`")), dtype)
        return write_out(state, out, arithmetic.ufunc(state, function, forms, spec))

    return Rule(make)


def _reduce(name: str) -> Rule:
    """Return the rule of ``np.add.reduce`` and methods like it, which take the first axis by default."""

    def make(state: Lowering, node: Node, array: Any, axis: Any = 0, *args: Any, **named: Any) -> Form:
        given = dict(zip(("dtype", "out", "keepdims"), args, strict=False)) | named
        given = {key: one for key, one in given.items() if one is not None}
        return table.RULES[f"np.{name}"].make(state, node, array, axis=axis, **given)

    return Rule(make)


def _outer(function: np.ufunc) -> Rule:
    """Return the rule of ``np.add.outer`` and methods like it, of all pairs."""

    def make(state: Lowering, node: Node, *args: Any) -> Form:
        left, right = (array_of(state, one) for one in args)
        rank = right.rank
        if rank:
            key = (..., *[None] * rank)
            spec = ArraySpec((*left.spec.shape, *(1 for _ in range(rank))), left.spec.dtype)
            wider = state.expr("item", (state.read(left), key), left.spec.dtype, len(spec.shape))
            left = state.array(wider, spec)
        return arithmetic.ufunc(state, function, [left, right], node.output.spec)

    return Rule(make)


def _at(op: str) -> Rule:
    """Return the rule of ``np.add.at(x, i, v)`` and methods like it, where a place may occur twice."""

    def make(state: Lowering, node: Node, array: Any, key: Any, values: Any) -> Form:
        target, value = needed(state, Array, array, "a ufunc at places"), state.given(values)
        parts = items.key_parts(state, key)
        if dynamic_slices.has_padded_indices(parts) and isinstance(value, Number):
            parts = dynamic_slices.dropped(state, target, parts)
        else:
            items.check_inside(state, target, parts)
        if any(isinstance(part, Array) and part.dtype == BOOL for part in parts):
            raise state.refusal("AT303", "the number of items that a mask selects depends on data")
        content = assigned(state, value, target.dtype)
        place = items.key_tree(state, parts)
        dtype, rank = target.dtype, target.rank

        def change(whole: Atom) -> Atom:
            fit = content
            if isinstance(value, Array):
                fit = state.expr("fit_to_part", (content, whole, place), dtype, value.rank)
            return state.expr(op, (whole, fit, place), dtype, rank)

        state.write(target, change)
        return Static(None)

    return Rule(make)


RULES: Final = {
    **{
        f"np.{getattr(np, name).__name__}": _ufunc(getattr(np, name))
        for name in UFUNC_NAMES
        if hasattr(np, name)
    },
    **{f"np.{name}.reduce": _reduce(function) for function, name in reductions.UFUNCS.items()},
    **{f"np.{name}.accumulate": _reduce(function) for function, name in reductions.ACCUMULATING.items()},
    **{f"np.{name}.outer": _outer(getattr(np, name)) for name in UFUNC_NAMES if hasattr(np, name)},
    "np.add.at": _at("add_at"),
    "np.subtract.at": _at("subtract_at"),
    "np.multiply.at": _at("multiply_at"),
    "np.minimum.at": _at("min_at"),
    "np.maximum.at": _at("max_at"),
}
