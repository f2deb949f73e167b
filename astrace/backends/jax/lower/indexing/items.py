"""Indexing: reading a part of an array, and writing one."""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from astrace.backends.jax.lower.indexing.keys import (
    DynamicSlice,
    Part,
    Slice,
    axes,
    consumed,
    is_all,
    item_view,
    key_tree,
    places,
    whole_key,
)
from astrace.backends.jax.lower.scalars.conversions import assigned, filled
from astrace.backends.jax.lower.scalars.symbolic_sizes import size
from astrace.backends.jax.lower.state import BOOL, INT, Lowering
from astrace.backends.jax.lower.value_forms import Array, Form, Items, Number, Static
from astrace.backends.jax.program_ir import Atom, Lit, is_host
from astrace.ir.block import Constant
from astrace.ir.specs import ArraySpec, Dim, GenericSpec, ScalarSpec, Spec
from astrace.passes.analysis.named_sizes import is_inside, put_together, taken_apart


def key_parts(state: Lowering, key: Any) -> list[Part]:
    """Return the parts of a key, which may hold forms, or be one."""
    if isinstance(key, Static):
        key = key.value
    if isinstance(key, Items) and key.cls is not list:
        key = key.items
    keys: tuple[Any, ...] = key if type(key) is tuple else (key,)
    return [_part(state, one) for one in keys]


def _part(state: Lowering, part: Any) -> Part:
    if isinstance(part, Static):
        part = part.value
    if isinstance(part, Items) and part.cls is list:
        part = list(part.items)
    match part:
        case Number():
            return _number(state, part)
        case Array():
            if part.dtype.kind not in "biu":
                raise state.refusal("AT304", "an index that is not an integer")
            return part
        case slice():
            return _slice(state, (part.start, part.stop, part.step))
        case None | types.EllipsisType():
            return Static(part)
        case int() | np.integer() if not isinstance(part, bool):
            return Number(Lit(int(part)), ScalarSpec("int"), (int(part), int(part)), frozenset())
        case list() | np.ndarray():
            return _constant(state, part)
        case _:
            raise state.refusal("AT304", f"an index of type {type(part).__name__}")


def _number(state: Lowering, part: Number) -> Number:
    if part.dtype.kind not in "iu":
        raise state.refusal("AT304", "an index that is not an integer")
    return part


def _constant(state: Lowering, part: Any) -> Array:
    """Return the array of a list of numbers, or of an array, in a key."""
    if any(isinstance(one, Number | Array) for one in part):
        forms = [state.constant(one) if type(one) is int else one for one in part]
        items = [one for one in forms if isinstance(one, Number) and one.dtype.kind in "iu"]
        if len(items) < len(part):
            raise state.refusal("AT304", "an index of mixed items")
        atom = state.expr("jnp.asarray", ([one.atom for one in items],), INT, 1)
        return state.array(atom, ArraySpec((len(items),), INT))
    value = np.asarray(part)
    if value.size == 0:
        value = value.astype(np.int64)
    if value.dtype.kind not in "biu":
        raise state.refusal("AT304", "an index that is not an integer")
    return state.array(state.literal(value), ArraySpec(value.shape, value.dtype))


def _slice(state: Lowering, bounds: Sequence[Any]) -> Slice | DynamicSlice:
    """Return a slice, which is loose if a bound is known neither now nor when JAX traces."""
    if not any(isinstance(one, Number) and not is_host(one.atom) and not one.inputs for one in bounds):
        return Slice(*(_bound(state, one) for one in bounds))
    forms = [state.constant(one) if isinstance(one, int | np.integer) else one for one in bounds]
    numbers = [_number(state, one) if isinstance(one, Number) else None for one in forms]
    return DynamicSlice(*numbers)


def _bound(state: Lowering, bound: Any) -> Atom | None:
    if bound is None or (isinstance(bound, Static) and bound.value is None):
        return None
    if isinstance(bound, int | np.integer):
        return Lit(int(bound))
    if isinstance(bound, Number) and bound.dtype.kind not in "iu":
        raise state.refusal("AT304", "a slice bound that is not an integer")
    return state.host(bound, "the size of a slice")


def check_inside(state: Lowering, array: Array, parts: Sequence[Part]) -> None:
    """Check that indices are in bounds, else NumPy raises."""
    if sum(map(consumed, parts)) > array.rank:
        raise state.refusal("AT304", "too many indices")
    for part, axis in zip(parts, axes(parts, array.rank), strict=True):
        if isinstance(part, Number) and not is_inside(part, array.spec.shape[axis]):
            _check_index(state, part, size(state, array, axis))
        if isinstance(part, Array):
            limit = size(state, array, axis)
            args = (state.read(part), limit.atom)
            if part.dtype != BOOL:
                state.check(state.expr("support.all_inside", args, BOOL))


def _check_index(state: Lowering, index: Number, limit: Number) -> None:
    op = "lt" if index.bounds[0] >= 0 else "support.is_inside"
    state.check(state.arithmetic(op, (index.atom, limit.atom), BOOL))


# -- reading -----------------------------------------------------------------------------------------------


def get_parts(state: Lowering, array: Array, parts: Sequence[Part], spec: Spec) -> Form:
    """Write ``array[key]`` for a key whose parts are known."""
    check_inside(state, array, parts)
    if any(isinstance(part, Array) and part.dtype == BOOL for part in parts):
        raise state.refusal("AT303", "the number of items that a mask selects depends on data")
    return _get(state, array, parts, spec)


def _get(state: Lowering, array: Array, parts: Sequence[Part], spec: Spec) -> Form:
    owner, whole = whole_key(state, array, parts)
    key = key_tree(state, whole)
    rank = len(spec.shape) if isinstance(spec, ArraySpec) else 0
    current = state.padded(owner)
    atom = state.expr("item", (current, key), array.dtype, rank)
    if isinstance(spec, GenericSpec):
        return Number(atom, spec)
    if not isinstance(spec, ArraySpec):
        raise state.refusal("AT301", f"an item of type {spec}")
    if any(isinstance(part, Array) for part in parts):
        return state.array(atom, spec)
    view = item_view(key, rank, whole, owner)
    refined = ArraySpec(_sizes(array.spec, parts, spec), spec.dtype)
    return Array(owner.root, (*owner.path, view), refined, atom, state.versions[owner.root])


def item_at(state: Lowering, array: Array, index: Number) -> Form:
    """Write the item along the first axis at an index that is inside."""
    rest = array.spec.shape[1:]
    spec: Spec = ArraySpec(rest, array.dtype) if rest else GenericSpec(array.dtype)
    found = _get(state, array, [index], spec)
    extents = array.extents[1:]
    return replace(found, extents=extents) if isinstance(found, Array) and any(extents) else found


def _sizes(owner: ArraySpec, parts: Sequence[Part], spec: ArraySpec) -> tuple[Dim, ...]:
    """Return the sizes of a part: those that its key tells, else those that are known of the result."""
    found = sizes(owner, places(parts, len(owner.shape)))
    if len(found) != len(spec.shape):
        return spec.shape
    return tuple(known if mine is None else mine for mine, known in zip(found, spec.shape, strict=True))


def sizes(owner: ArraySpec, found: Sequence[tuple[int, Part | None]]) -> tuple[Dim, ...]:
    """Return the sizes of a part, by the axes of the whole; slices with constant bounds take a constant off."""
    dims = [(1 if axis < 0 else owner.shape[axis], part) for axis, part in found]
    return tuple(sliced(dim, part) if isinstance(part, Slice) else dim for dim, part in dims)


def sliced(dim: Dim, part: Slice) -> Dim:
    """Return a size that a slice with constant bounds leaves at least; ``None`` for other bounds."""
    bounds = [one.value if isinstance(one, Constant) else one for one in (part.start, part.stop, part.step)]
    size_ = taken_apart(dim)
    if part.is_whole or bounds == [None, None, -1]:
        return dim
    if (
        size_ is None
        or bounds[2] not in (None, 1)
        or not all(isinstance(one, int | None) for one in bounds[:2])
    ):
        return None
    start, stop = (0 if one is None else one for one in bounds[:2])
    if not isinstance(start, int) or not isinstance(stop, int) or start < 0 or stop > 0 or bounds[1] == 0:
        return None
    return put_together(size_[0], size_[1] - start + stop)


# -- writing -----------------------------------------------------------------------------------------------


def set_parts(state: Lowering, array: Array, parts: Sequence[Part], value: Form) -> None:
    """Write ``array[key] = value`` for a key whose parts are known."""
    check_inside(state, array, parts)
    if any(isinstance(part, Array) and part.dtype == BOOL for part in parts):
        raise state.refusal("AT303", "the number of items that a mask selects depends on data")
    content = assigned(state, value, array.dtype)
    if any(isinstance(part, Array) for part in parts):
        _check_once(state, parts)
    if all(map(is_all, parts)):
        state.write(array, lambda whole: filled(state, whole, content))
        return
    owner, whole = whole_key(state, array, parts)
    key = key_tree(state, whole)
    rank = owner.rank
    checks = _may_be_empty(array, parts, value)

    def change(whole: Atom) -> Atom:
        fit = content
        if checks and isinstance(value, Array):
            fit = state.expr("fit_to_part", (content, whole, key), owner.dtype, value.rank)
        return state.expr("update", (whole, fit, key), owner.dtype, rank)

    state.write(owner, change)


def _may_be_empty(array: Array, parts: Sequence[Part], value: Form) -> bool:
    """Return whether a part may have no items: JAX then stores nothing, and does not check that the value fits."""
    if not isinstance(value, Array) or not value.spec.shape:
        return False
    sliced_off = any(isinstance(part, Slice) and not part.is_whole for part in parts)
    return sliced_off or None in array.spec.shape


def _check_once(state: Lowering, parts: Sequence[Part]) -> None:
    """Check that no place is stored to twice: NumPy keeps the last value, XLA any."""
    arrays = [state.read(part) for part in parts if isinstance(part, Array)]
    state.check(state.expr("support.are_distinct", arrays, BOOL))
