"""Rules of functions of several arrays, and of sorting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.rule import (
    Kwargs,
    Rule,
    array_of,
    computed,
    constant_of,
    needed,
    result,
    signature,
    value_dtype,
)
from astrace.backends.jax.lower.scalars.operators import matmul, write_out
from astrace.ir.block import NO_ATTRS, Node
from astrace.ir.specs import ArraySpec
from astrace.passes.functional.conversions import assigned, filled
from astrace.passes.functional.dtypes import BOOL, INT
from astrace.passes.functional.forms import Array, Form, Items, Number, Stack, Static
from astrace.passes.functional.indexing import items
from astrace.passes.functional.indexing.padded_lengths import (
    aligned,
    contracted,
    extent_at,
    is_padded,
    masked,
    whole,
    with_extents,
)
from astrace.passes.functional.operands import numeric
from astrace.passes.functional.program import Lit, rank_of
from astrace.passes.functional.state import Lowering


def _several(name: str) -> Rule:
    """Return the rule of ``np.concatenate`` and functions like it, of a list of arrays and an axis."""

    def make(state: Lowering, node: Node, arrays: Any, axis: Any = 0) -> Form:
        dtype = value_dtype(state, node.output.spec)
        many = array_of(state, arrays) if isinstance(arrays, Stack) else arrays
        many = many.items if isinstance(many, Items) else many
        if not isinstance(many, Array | list | tuple):
            raise state.refusal("AT301", f"an argument of np.{name}")
        several = not isinstance(many, Array)
        tree = [computed(state, one, dtype) for one in many] if several else computed(state, many, dtype)
        along = constant_of(state, axis)
        return _called(state, node, f"xp.{name}", (tree,), dtype, {} if along == 0 else {"axis": Lit(along)})

    return Rule(make)


def _called(
    state: Lowering, node: Node, op: str, args: Sequence[Any], dtype: np.dtype[Any], named: Any = NO_ATTRS
) -> Form:
    """Write a call that JAX computes in a dtype; return its result as NumPy returns it."""
    spec = node.output.spec
    return result(state, state.expr(op, args, dtype, rank_of(spec), named), dtype, spec)


def _pair(name: str) -> Rule:
    """Return the rule of a function of arrays that computes in the dtype of the result."""

    def make(state: Lowering, node: Node, *args: Any, out: Any = None, **named: Any) -> Form:
        spec = node.output.spec
        dtype = value_dtype(state, spec)
        beyond = any(isinstance(one, Array) for one in args[2:])  # an `out` by position
        beyond |= out is not None and not isinstance(spec, ArraySpec)
        beyond |= name == "convolve" and dtype.kind not in "fc"  # JAX computes in floats
        beyond |= isinstance(named.get("axes", args[2] if len(args) > 2 else None), list | tuple | Items)
        if dtype == BOOL or beyond or set(named) - {"axes", "axis", "mode"}:
            raise state.refusal("AT304", f"np.{name} with these arguments")
        if any(map(is_padded, args)):
            return _padded_pair(state, node, name, args, named if out is None else {"out": out})
        arrays = [one for one in args if isinstance(one, Number | Array | list)]
        others = [constant_of(state, one) for one in args if not isinstance(one, Number | Array | list)]
        atoms = [*(computed(state, one, dtype) for one in arrays), *map(Lit, others)]
        form = _called(state, node, f"xp.{name}", atoms, dtype, {key: Lit(one) for key, one in named.items()})
        return form if out is None else write_out(state, out, form)

    return Rule(make)


def _padded_pair(state: Lowering, node: Node, name: str, args: Sequence[Any], named: Kwargs) -> Form:
    """Write a product of arrays of which only the first items count."""
    arrays = [one for one in args if isinstance(one, Array)]
    vectors = [one.rank for one in arrays] == [1, 1]
    if named or len(arrays) != 2 or len(args) != 2:
        raise state.unknown_size()
    if name == "dot" or (name in ("inner", "vdot") and vectors):
        plain, extents = contracted(state, *arrays)
    elif name == "outer" and vectors:
        plain = [whole(state, one, state.padded(one)) for one in arrays]
        extents = tuple(extent_at(one, 0) for one in arrays)
    else:
        raise state.unknown_size()
    return with_extents(RULES[f"np.{name}"].make(state, node, *plain), extents)


def _where(state: Lowering, node: Node, condition: Any, *options: Any) -> Form:
    if len(options) != 2:
        raise state.refusal("AT303", "the number of selected items depends on data")
    dtype = value_dtype(state, node.output.spec)
    test = array_of(state, condition)
    forms = [numeric(state, state.given(one)) for one in options]
    if any(map(is_padded, (test, *forms))):
        plain, extents = aligned(state, [test, *forms])
        return with_extents(_where(state, node, *plain), extents)
    atoms = [state.read(test), *(computed(state, one, dtype) for one in forms)]
    if test.dtype != BOOL:
        atoms[0] = state.expr("ne", (atoms[0], Lit(0)), BOOL, test.rank)
    return _called(state, node, "xp.where", atoms, dtype)


def _argsort(state: Lowering, node: Node, *args: Any, **named: Any) -> Form:
    """Write ``np.argsort``; if its order is not stable, a check requires all items to differ."""
    given = signature(state, np.argsort, args, named)
    array = array_of(state, given["a"])
    if array.dtype.kind == "c":
        raise state.refusal("AT304", "argsort of complex numbers")
    atoms = [state.read(array), Lit(constant_of(state, given.get("axis", -1)))]
    found = _called(state, node, "xp.argsort", atoms, INT)
    if given.get("kind") not in ("stable", "mergesort") and given.get("stable") is not True:
        state.check(state.expr("support.all_differ", atoms, BOOL))
    return found


def _take(state: Lowering, node: Node, a: Any, indices: Any, axis: Any = None) -> Form:
    """Write ``np.take``: an index along an axis, and always a copy."""
    array, along = array_of(state, a), constant_of(state, axis)
    if along is None:
        flat = state.expr(".reshape", (state.read(array), Lit(-1)), array.dtype, 1)
        array, along = state.array(flat, ArraySpec((None,), array.dtype)), 0
    if not -array.rank <= along < array.rank:
        raise state.refusal("AT304", "take along an axis that the array does not have")
    key = (*[slice(None)] * (along % array.rank), indices)
    found = items.get_parts(state, array, items.key_parts(state, key), node.output.spec)
    return state.array(state.read(found), found.spec) if isinstance(found, Array) else found


def _matmul(state: Lowering, node: Node, left: Any, right: Any) -> Form:
    return matmul(state, [array_of(state, one) for one in (left, right)], node.output.spec)


def _searchsorted(state: Lowering, node: Node, a: Any, v: Any, side: Any = "left") -> Form:
    forms = [array_of(state, a), numeric(state, state.given(v))]
    dtype = np.result_type(*(one.dtype for one in forms))
    atoms = [computed(state, one, dtype) for one in forms]
    state.check(state.expr("support.is_sorted", atoms[:1], BOOL))
    named = {} if side == "left" else {"side": Lit("right")}
    return _called(state, node, "xp.searchsorted", atoms, np.dtype(np.int32), named)


def _copyto(state: Lowering, node: Node, dst: Any, src: Any) -> Form:
    target, source = needed(state, Array, dst, "copyto"), numeric(state, state.given(src))
    if not np.can_cast(source.dtype, target.dtype, "same_kind"):
        state.fail()
        return Static(None)
    content = assigned(state, source, target.dtype)
    state.write(target, lambda whole: filled(state, whole, content))
    return Static(None)


def _fill_diagonal(state: Lowering, node: Node, a: Any, val: Any) -> Form:
    target = needed(state, Array, a, "fill_diagonal")
    if target.rank != 2:
        raise state.refusal("AT304", "fill_diagonal with these arguments")
    content = assigned(state, state.given(val), target.dtype)
    state.check(state.expr("is_high", (target.atom,), None))
    dtype, other = target.dtype, {"inplace": Lit(False)}
    state.write(target, lambda whole: state.expr("xp.fill_diagonal", (whole, content), dtype, 2, other))
    return Static(None)


def _norm(state: Lowering, node: Node, x: Any, *args: Any, **named: Any) -> Form:
    given = dict(zip(("ord", "axis", "keepdims"), args, strict=False)) | named
    dtype = value_dtype(state, node.output.spec)
    array = array_of(state, x)
    if array.extents and not given:
        array = masked(state, array, 0)
    if array.dtype.kind == "c" or (array.rank == 2 and given.get("ord") not in (None, "fro")):
        raise state.refusal("AT304", "a norm that NumPy computes differently")
    others = {key: Lit(constant_of(state, one)) for key, one in given.items()}
    # Norms of infinite order are the largest item, or the smallest: XLA would lose NaN.
    home = "support" if given.get("ord") in (math.inf, -math.inf) else "xp.linalg"
    return _called(state, node, f"{home}.norm", (computed(state, array, dtype),), dtype, others)


RULES: Final = {
    **{
        f"np.{name}": _several(name)
        for name in ("concatenate", "stack", "hstack", "vstack", "dstack", "column_stack")
    },
    **{
        f"np.{name}": _pair(name)
        for name in ("dot", "inner", "outer", "vdot", "kron", "tensordot", "convolve", "interp")
    },
    "np.where": Rule(_where),
    "np.argsort": Rule(_argsort),
    "np.take": Rule(_take),
    "np.matmul": Rule(_matmul),
    "np.linalg.matmul": Rule(_matmul),
    "np.searchsorted": Rule(_searchsorted),
    "np.copyto": Rule(_copyto),
    "np.fill_diagonal": Rule(_fill_diagonal),
    "np.linalg.norm": Rule(_norm),
}
