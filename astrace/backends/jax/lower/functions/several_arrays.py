"""Rules of functions of several arrays, and of sorting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.functions import unary
from astrace.backends.jax.lower.indexing import items, views
from astrace.backends.jax.lower.indexing.padded_lengths import (
    aligned,
    contracted,
    extent_at,
    is_padded,
    masked,
    whole,
    with_extents,
)
from astrace.backends.jax.lower.rule import (
    Kwargs,
    Rule,
    array_of,
    computed,
    named,
    rank_of,
    result,
    signature,
    value_dtype,
)
from astrace.backends.jax.lower.scalars import arithmetic
from astrace.backends.jax.lower.scalars.arithmetic import dtype_of
from astrace.backends.jax.lower.scalars.conversions import assigned, filled
from astrace.backends.jax.lower.scalars.operators import matmul, operands
from astrace.backends.jax.lower.state import BOOL, Lowering
from astrace.backends.jax.lower.value_forms import Array, Form, Items, Number, Stack, Static
from astrace.backends.jax.program_ir import Lit
from astrace.ir.block import Node
from astrace.ir.specs import ArraySpec


def _several(name: str) -> Rule:
    """Return the rule of ``np.concatenate`` and functions like it, of a list of arrays and an axis."""

    def make(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        given = named(state, ("arrays", "axis"), args, kwargs)
        if set(given) - {"arrays", "axis"}:
            raise state.refusal("AT304", f"an argument of np.{name}")
        dtype = value_dtype(state, node.output.spec)
        arrays = given["arrays"]
        arrays = array_of(state, arrays) if isinstance(arrays, Stack) else arrays
        many = arrays.items if isinstance(arrays, Items) else arrays
        if isinstance(many, Array):
            given_atoms: Any = computed(state, many, dtype)
        elif isinstance(many, list | tuple):
            given_atoms = [computed(state, one, dtype) for one in many]
        else:
            raise state.refusal("AT301", f"an argument of np.{name}")
        axis = views.constants(state, [given.get("axis", 0)])[0]
        other = {} if "axis" not in given or axis == 0 else {"axis": Lit(axis)}
        spec = node.output.spec
        atom = state.expr(f"jnp.{name}", (given_atoms,), dtype, rank_of(spec), other)
        return result(state, atom, dtype, spec)

    return Rule(make)


def _pair(name: str) -> Rule:
    """Return the rule of a function of arrays that computes in the dtype of the result."""

    def make(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        out = kwargs.get("out")
        spec = node.output.spec
        dtype = value_dtype(state, spec)
        beyond = any(isinstance(one, Array) for one in args[2:])  # an `out` by position
        beyond |= out is not None and not isinstance(spec, ArraySpec)
        beyond |= name == "convolve" and dtype.kind not in "fc"  # JAX computes in floats
        beyond |= isinstance(kwargs.get("axes", args[2] if len(args) > 2 else None), list | tuple | Items)
        if dtype == BOOL or beyond or set(kwargs) - {"out", "axes", "axis", "mode"}:
            raise state.refusal("AT304", f"np.{name} with these arguments")
        if any(map(is_padded, args)):
            return _padded_pair(state, node, name, args, kwargs)
        arrays = [one for one in args if isinstance(one, Number | Array | list)]
        rest = views.constants(state, [one for one in args if not isinstance(one, Number | Array | list)])
        atoms = [computed(state, one, dtype) for one in arrays]
        atoms += map(Lit, rest)
        other = {key: Lit(one) for key, one in kwargs.items() if key != "out"}
        atom = state.expr(f"jnp.{name}", atoms, dtype, rank_of(spec), other)
        form = result(state, atom, dtype, spec)
        return form if out is None else unary.write_out(state, out, form)

    return Rule(make)


def _padded_pair(state: Lowering, node: Node, name: str, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """Write a product of arrays of which only the first items count."""
    arrays = [one for one in args if isinstance(one, Array)]
    ranks = [len(one.spec.shape) for one in arrays]
    if kwargs or len(arrays) != 2 or len(args) != 2:
        raise state.refusal("AT303", "the size of a slice depends on data")
    if name == "dot" or (name in ("inner", "vdot") and ranks == [1, 1]):
        plain, extents = contracted(state, *arrays)
    elif name == "outer" and ranks == [1, 1]:
        plain = [whole(state, one, state.padded(one)) for one in arrays]
        extents = tuple(extent_at(one, 0) for one in arrays)
    else:
        raise state.refusal("AT303", "the size of a slice depends on data")
    return with_extents(RULES[f"np.{name}"].make(state, node, plain, {}), extents)


def _where(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if len(args) != 3 or kwargs:
        raise state.refusal("AT303", "the number of selected items depends on data")
    spec = node.output.spec
    dtype = value_dtype(state, spec)
    test = array_of(state, args[0])
    forms = [arithmetic.numeric(state, one) for one in operands(state, args[1:])]
    if any(map(is_padded, (test, *forms))):
        plain, extents = aligned(state, [test, *forms])
        return with_extents(_where(state, node, plain, {}), extents)
    atoms = [state.read(test), *(computed(state, one, dtype) for one in operands(state, args[1:]))]
    if test.spec.dtype != BOOL:
        atoms[0] = state.expr("ne", (atoms[0], Lit(0)), BOOL, len(test.spec.shape))
    return result(state, state.expr("jnp.where", atoms, dtype, rank_of(spec)), dtype, spec)


def _argsort(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """Write ``np.argsort``; if its order is not stable, a check requires all items to differ."""
    given = signature(state, np.argsort, args, kwargs)
    array = array_of(state, given["a"])
    axis = views.constants(state, [given.get("axis", -1)])[0]
    if array.spec.dtype.kind == "c":
        raise state.refusal("AT304", "argsort of complex numbers")
    atoms = [state.read(array), Lit(axis)]
    atom = state.expr("jnp.argsort", atoms, np.dtype(np.int64), rank_of(node.output.spec))
    if given.get("kind") not in ("stable", "mergesort") and given.get("stable") is not True:
        state.check(state.expr("support.all_differ", atoms, BOOL))
    return result(state, atom, np.dtype(np.int64), node.output.spec)


def _take(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """Write ``np.take``: an index along an axis, and always a copy."""
    given = signature(state, np.take, args, kwargs)
    if set(given) - {"a", "indices", "axis"}:
        raise state.refusal("AT304", "take with these arguments")
    array, spec = array_of(state, given["a"]), node.output.spec
    axis = views.constants(state, [given.get("axis")])[0]
    if axis is None:
        flat = state.expr(".reshape", (state.read(array), Lit(-1)), array.spec.dtype, 1)
        array, axis = state.array(flat, ArraySpec((None,), array.spec.dtype)), 0
    if not -len(array.spec.shape) <= axis < len(array.spec.shape):
        raise state.refusal("AT304", "take along an axis that the array does not have")
    key = (*[slice(None)] * (axis % len(array.spec.shape)), given["indices"])
    found = items.get_parts(state, array, items.key_parts(state, key), spec)
    return state.array(state.read(found), found.spec) if isinstance(found, Array) else found


def _matmul(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if len(args) != 2 or kwargs:
        raise state.refusal("AT304", "matmul with these arguments")
    return matmul(state, [array_of(state, one) for one in args], node.output.spec)


def _searchsorted(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    given = named(state, ("a", "v", "side"), args, kwargs)
    if set(given) - {"a", "v", "side"}:
        raise state.refusal("AT304", "searchsorted with a sorter")
    forms = [array_of(state, given["a"]), operands(state, [given["v"]])[0]]
    dtype = np.result_type(*(dtype_of(one) for one in forms if isinstance(one, Number | Array)))
    atoms = [computed(state, one, dtype) for one in forms]
    state.check(state.expr("support.is_sorted", atoms[:1], BOOL))
    side = {} if given.get("side", "left") == "left" else {"side": Lit("right")}
    spec, dtype = node.output.spec, np.dtype(np.int32)
    return result(state, state.expr("jnp.searchsorted", atoms, dtype, rank_of(spec), side), dtype, spec)


def _copyto(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if len(args) != 2 or kwargs or not isinstance(args[0], Array):
        raise state.refusal("AT304", "copyto with these arguments")
    source = operands(state, args[1:])[0]
    if not np.can_cast(dtype_of(arithmetic.numeric(state, source)), args[0].spec.dtype, "same_kind"):
        state.fail()
        return Static(None)
    content = assigned(state, source, args[0].spec.dtype)
    state.write(args[0], lambda whole: filled(state, whole, content))
    return Static(None)


def _fill_diagonal(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    target = args[0] if args else None
    if len(args) != 2 or kwargs or not isinstance(target, Array) or len(target.spec.shape) != 2:
        raise state.refusal("AT304", "fill_diagonal with these arguments")
    content = assigned(state, operands(state, args[1:])[0], target.spec.dtype)
    state.check(state.expr("is_high", (target.atom,), None))
    dtype, other = target.spec.dtype, {"inplace": Lit(False)}
    state.write(target, lambda whole: state.expr("jnp.fill_diagonal", (whole, content), dtype, 2, other))
    return Static(None)


def _norm(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    given = named(state, ("x", "ord", "axis", "keepdims"), args, kwargs)
    spec = node.output.spec
    dtype = value_dtype(state, spec)
    array = array_of(state, given.pop("x"))
    if array.extents and not given:
        array = masked(state, array, 0)
    if array.spec.dtype.kind == "c" or (len(array.spec.shape) == 2 and given.get("ord") not in (None, "fro")):
        raise state.refusal("AT304", "a norm that NumPy computes differently")
    others = {key: Lit(*views.constants(state, [one])) for key, one in given.items()}
    # Norms of infinite order are the largest item, or the smallest: XLA would lose NaN.
    home = "support" if given.get("ord") in (math.inf, -math.inf) else "jnp.linalg"
    atom = state.expr(f"{home}.norm", (computed(state, array, dtype),), dtype, rank_of(spec), others)
    return result(state, atom, dtype, spec)


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
