"""Slices whose bounds depend on data, items that a mask selects, places that an array of unknown length gives.

The items of such a part are moved to the front of a variable as long as the whole axis (see ``padded_lengths``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from astrace.ir.block import Constant
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, Dim, GenericSpec, Spec
from astrace.passes.analysis.named_sizes import is_inside, put_together, taken_apart
from astrace.passes.functional.conversions import assigned, converted, filled
from astrace.passes.functional.dtypes import BOOL, INT
from astrace.passes.functional.forms import FULL, Array, Extent, Form, Number, View, view_of
from astrace.passes.functional.indexing import items
from astrace.passes.functional.indexing.items import DynamicSlice, Part, Slice
from astrace.passes.functional.indexing.padded_lengths import (
    aligned,
    check_length,
    cut,
    extended,
    extent_at,
    is_padded,
    masked,
    together,
    whole,
)
from astrace.passes.functional.layout.flatten import cast
from astrace.passes.functional.program import Atom, Lit, atom_rank, is_host
from astrace.passes.functional.state import Lowering
from astrace.passes.functional.symbolic_sizes import difference, size


def get_item(state: Lowering, array: Array, key: Any, spec: Spec) -> Form:
    """Write ``array[key]``."""
    parts = items.key_parts(state, key)
    mask = mask_of(parts)
    if mask is not None:
        return selected(state, array, mask)
    if has_padded_indices(parts) and not _is_dynamic(array, parts):
        return at_places(state, array, parts, spec)
    if not _is_dynamic(array, parts):
        return items.get_parts(state, array, parts, spec)
    found = part_of(state, array, parts)
    if isinstance(spec, GenericSpec) and not found.spec.shape:
        return Number(state.read(found), spec)
    if not isinstance(spec, ArraySpec):
        raise state.refusal("AT301", f"an item of type {spec}")
    return found


def set_item(state: Lowering, array: Array, key: Any, value: Form) -> None:
    """Write ``array[key] = value``."""
    parts = items.key_parts(state, key)
    mask = mask_of(parts)
    if mask is not None:
        store(state, array, mask, value)
        return
    chosen = any(isinstance(part, Array) for part in parts)
    if not _is_dynamic(array, parts) and (chosen or not is_padded(value)):
        items.set_parts(state, array, parts, value)
        return
    assign(state, part_of(state, array, parts), value)


def _is_dynamic(array: Array, parts: Sequence[Part]) -> bool:
    return bool(array.extents) or any(isinstance(part, DynamicSlice) for part in parts)


# -- parts -------------------------------------------------------------------------------------------------


def part_of(state: Lowering, array: Array, parts: Sequence[Part]) -> Array:
    """Return the part of an array under a key; one item is an array without dimensions."""
    if any(isinstance(part, Array) for part in parts):
        raise state.unknown_size()
    items.check_inside(state, array, parts)
    rank = array.rank
    parts = [_settled(state, array, *one) for one in zip(parts, items.axes(parts, rank), strict=True)]
    places = items.places(parts, rank)
    found = _fixed(state, array, parts, places)
    for axis, (_, part) in enumerate(places):
        if isinstance(part, DynamicSlice):
            found = _sliced(state, found, axis, part)
    return found


def _settled(state: Lowering, array: Array, part: Part, axis: int) -> Part:
    """Return a part of a key for an axis whose length depends on data: indices count from the start of it."""
    extent = extent_at(array, axis) if axis >= 0 and not items.is_dots(part) else None
    match part:
        case Slice() if extent is not None and not part.is_whole:
            return DynamicSlice(*map(_known, (part.start, part.stop, part.step)))
        case Number() if extent is not None and part.bounds[0] < 0:
            args = (_integer(state, part), extent.length)
            if part.bounds[1] < 0:
                atom = state.once("add", args[::-1], INT)
                return Number(atom, PYTHON_INT, FULL)
            atom = state.once("from_start", args, INT)
            return replace(part, atom=atom, spec=PYTHON_INT, bounds=(0, part.bounds[1]))
        case _:
            return part


def _known(bound: Atom | None) -> Number | None:
    if bound is None:
        return None
    value = bound.value if isinstance(bound, Constant) else None
    return Number(bound, PYTHON_INT, FULL if value is None else (value, value))


def _fixed(
    state: Lowering, array: Array, parts: Sequence[Part], places: Sequence[tuple[int, Part | None]]
) -> Array:
    """Return the part under a key whose loose slices are left whole."""
    plain = [Slice(None, None, None) if isinstance(part, DynamicSlice) else part for part in parts]
    if all(map(items.is_all, plain)):
        return array
    dims = items.sizes(array.spec, places)
    owner, whole = items.whole_key(state, array, plain)
    key = items.key_tree(state, whole)
    spec = ArraySpec(dims, array.dtype)
    view = items.item_view(key, len(dims), whole, owner)
    atom = state.view(state.padded(owner), view, spec.dtype)
    extents = tuple(None if axis < 0 else extent_at(array, axis) for axis, _ in places)
    version = state.versions[owner.root]
    return Array(owner.root, (*owner.path, view), spec, atom, version, extents if any(extents) else ())


# -- slices ------------------------------------------------------------------------------------------------


def _sliced(state: Lowering, array: Array, axis: int, part: DynamicSlice) -> Array:
    """Return an array that has a slice along one axis at its front."""
    extent = extent_at(array, axis)
    dim = array.spec.shape[axis] if extent is None else extent.capacity
    limit = size(state, array, axis)
    count = _window(state, part)
    if count is not None:
        return _windowed(state, array, axis, part, limit, dim, count)
    start, step, length = _span(state, part, limit, dim)
    in_place = start == Lit(0) and step == Lit(1)
    op = "same" if in_place else "front"
    view = view_of("front", op, (Lit(axis), start, step, length), array.rank)
    return _behind(state, array, axis, view, Extent(length, dim))


def _behind(state: Lowering, array: Array, axis: int, view: View, found: Extent | int) -> Array:
    """Return an array seen through a view of one axis, which then has the extent or size that is given."""
    extents = list(array.extents or (None,) * view.rank)
    shape = list(array.spec.shape)
    extents[axis] = found if isinstance(found, Extent) else None
    shape[axis] = None if isinstance(found, Extent) else found
    atom = state.view(state.padded(array), view, array.dtype)
    spec = ArraySpec(tuple(shape), array.dtype)
    kept = tuple(extents) if any(extents) else ()
    return Array(array.root, (*array.path, view), spec, atom, state.versions[array.root], kept)


def _window(state: Lowering, part: DynamicSlice) -> Atom | None:
    """Return the length of a slice before the axis cuts it off; ``None`` if it is not known at compile time."""
    start, stop = part.start, part.stop
    if start is None or stop is None or start.bounds[0] < 0 or stop.bounds[0] < 0:
        return None
    if part.step is not None and part.step.atom != Lit(1):
        return None
    return difference(state, _integer(state, stop), _integer(state, start))


def _windowed(
    state: Lowering, array: Array, axis: int, part: DynamicSlice, limit: Number, dim: Dim, count: Atom
) -> Array:
    """Return a slice whose length is known at compile time, though the end of the axis may cut it off."""
    assert part.start is not None
    assert part.stop is not None
    start, rank = _integer(state, part.start), array.rank
    known, reach = taken_apart(dim), count.value if isinstance(count, Constant) else 0
    if known is not None and reach > 0 and is_inside(part.stop, put_together(known[0], known[1] + 1)):
        view = view_of("window", "window", (Lit(axis), start, count), rank)
        return _behind(state, array, axis, view, reach)
    length = state.once("distance", (limit.atom, start, count), INT)
    view = view_of("front", "front_window", (Lit(axis), start, Lit(1), length, count), rank)
    return _behind(state, array, axis, view, Extent(length, reach if reach > 0 else None))


def _span(state: Lowering, part: DynamicSlice, limit: Number, dim: Dim) -> tuple[Atom, Atom, Atom]:
    """Return the start, the step and the length of a slice."""
    start, stop, step = part.start, part.stop, part.step
    forward = step is None or step.atom == Lit(1)
    if forward and (start is None or start.atom == Lit(0)) and stop is not None and stop.bounds[0] >= 0:
        return Lit(0), Lit(1), _at_most(state, stop, limit, dim)
    if forward and stop is None and start is not None and start.bounds[0] >= 0:
        first = _at_most(state, start, limit, dim)
        return first, Lit(1), state.once("sub", (limit.atom, first), INT)
    numbers = [Lit(None) if one is None else _integer(state, one) for one in (start, stop, step)]
    if step is not None and step.bounds[0] <= 0 <= step.bounds[1]:
        state.check(state.expr("ne", (numbers[2], Lit(0)), np.dtype(bool)))
    args = (limit.atom, *numbers)
    apart = Lit(1) if step is None else numbers[2]
    return state.once("slice_start", args, INT), apart, state.once("support.slice_length", args, INT)


def _at_most(state: Lowering, number: Number, limit: Number, dim: Dim) -> Atom:
    """Return a bound, cut off at the end of the axis."""
    atom = _integer(state, number)
    known = taken_apart(dim)
    if known is not None and is_inside(number, put_together(known[0], known[1] + 1)):
        return atom
    return state.once("xp.minimum", (atom, limit.atom), INT)


def _integer(state: Lowering, number: Number) -> Atom:
    return number.atom if is_host(number.atom) else cast(state, number.atom, number.dtype, INT)


# -- writing -----------------------------------------------------------------------------------------------


def assign(state: Lowering, target: Array, value: Form) -> None:
    """Replace the contents of a part of an array, whatever its length."""
    if not isinstance(value, Array) or not value.spec.shape:
        content = assigned(state, value, target.dtype)
        state.write_padded(target, lambda whole: filled(state, whole, content))
        return
    if _is_itself(state, target, value):
        return
    axes = _checked_axes(state, target, value)
    content = converted(state, state.padded(value), value.dtype, target.dtype)
    rank = target.rank

    def change(whole: Atom) -> Atom:
        args = (content, whole, Lit(axes))
        return state.expr("support.fitted", args, target.dtype, rank)

    same = _capacities(target)
    fits = same == _capacities(value) and None not in same
    state.write_padded(target, (lambda _: content) if fits else change)


def _is_itself(state: Lowering, target: Array, value: Array) -> bool:
    """Return whether a part that was just changed in place is stored where it is, as at the end of ``a[:i] += 1``."""
    same = target.root is value.root and target.path == value.path
    return same and value.version is not state.versions[value.root]


def _checked_axes(state: Lowering, target: Array, value: Array) -> tuple[int, ...]:
    """Check that both arrays match; return the axes of which the lengths depend on data, counted from the last."""
    rank = value.rank
    if rank > target.rank:
        raise state.refusal("AT304", "an array with more dimensions is stored")
    found: list[int] = []
    for axis in range(-rank, 0):
        extents = extent_at(target, axis), extent_at(value, axis)
        repeated = extents[1] is None and value.spec.shape[axis] == 1
        if repeated or not any(extents):
            continue
        check_length(state, *(size(state, one, axis).atom for one in (target, value)))
        found.append(axis)
    return tuple(found)


def _capacities(array: Array) -> list[Dim]:
    extents = array.extents or (None,) * array.rank
    pairs = zip(array.spec.shape, extents, strict=True)
    return [dim if extent is None else extent.capacity for dim, extent in pairs]


# -- masks, and places that an array of unknown length gives -------------------------------------------------


NOT_ALONE = "the number of items that a mask selects depends on data"


def mask_of(parts: Sequence[Part]) -> Array | None:
    """Return the mask of a key that is a mask, alone or before whole axes; else ``None``."""
    first = parts[0] if parts else None
    if not isinstance(first, Array) or first.spec.dtype != BOOL or not first.spec.shape:
        return None
    return first if all(map(items.is_all, parts[1:])) else None


def selected(state: Lowering, array: Array, mask: Array) -> Array:
    """Write ``array[mask]``."""
    if array.extents or mask.extents:
        array, mask = _as_long(state, array, mask)
    rank, dims = array.rank, mask.rank
    if dims > rank:
        raise state.refusal("AT304", "too many indices")
    atom, chosen = state.padded(array), state.read(mask)
    _check_shape(state, atom, chosen, dims)
    found = state.expr("support.selected", (atom, chosen), array.dtype, 1 + rank - dims)
    count = state.expr("xp.sum", (chosen,), INT)
    capacity = array.spec.shape[0] if dims == 1 else None
    made = state.array(found, ArraySpec((None, *array.spec.shape[dims:]), array.dtype))
    return extended(made, (Extent(count, capacity), *(None,) * (rank - dims)))


def _as_long(state: Lowering, array: Array, mask: Array) -> tuple[Array, Array]:
    """Return an array and a mask, of which the first items count, as whole variables of one length."""
    rank = array.rank
    if mask.rank != 1 or any(array.extents[1:]):
        raise state.refusal("AT303", NOT_ALONE)
    _, limit = together(state, [(array, -rank), (mask, -1)])
    array, mask = cut(state, array, -rank, limit), cut(state, mask, -1, limit)
    extent = extent_at(array, 0) or extent_at(mask, 0)
    assert extent is not None
    mask = masked(state, extended(mask, (extent,)), False)
    return whole(state, array, state.padded(array)), mask


def _check_shape(state: Lowering, whole: Atom, mask: Atom, dims: int) -> None:
    state.check(state.expr("begins_shaped", (whole, Lit(dims), mask), None))


def store(state: Lowering, array: Array, mask: Array, value: Form) -> None:
    """Write ``array[mask] = value``."""
    rank, dims = array.rank, mask.rank
    if array.extents or mask.extents:
        raise state.refusal("AT303", NOT_ALONE)
    chosen = state.read(mask)
    _check_shape(state, state.read(array), chosen, dims)
    several = isinstance(value, Array) and value.rank > rank - dims
    if several:
        content = _values(state, array, value, chosen, rank - dims)
        op = "support.stored_where"
    else:
        content = assigned(state, value, array.dtype)
        op = "where_fit" if atom_rank(content) else "where_else"
        for _ in range(rank - dims):
            chosen = state.expr("new_axis", (chosen,), BOOL, rank)
    state.write(array, lambda old: state.expr(op, (old, chosen, content), array.dtype, rank))


def _values(state: Lowering, array: Array, value: Form, chosen: Atom, rest: int) -> Atom:
    """Write one value, or row, for each place that a mask selects."""
    assert isinstance(value, Array)
    if value.rank != rest + 1 or any(value.extents[1:]):
        raise state.refusal("AT304", "an array with more dimensions is stored")
    count = state.expr("xp.sum", (chosen,), INT)
    check_length(state, size(state, value, 0).atom, count)
    return converted(state, state.padded(value), value.dtype, array.dtype)


# -- places ------------------------------------------------------------------------------------------------


def has_padded_indices(parts: Sequence[Part]) -> bool:
    """Return whether a key has arrays of unknown length among its parts."""
    return any(isinstance(part, Array) and part.extents for part in parts)


def places(state: Lowering, parts: Sequence[Part]) -> tuple[list[Part], Extent, int]:
    """Return a key whose arrays are whole variables, their extent, and the axis of the result that they make."""
    chosen = [index for index, part in enumerate(parts) if isinstance(part, Array | Number)]
    arrays = [part for part in parts if isinstance(part, Array)]
    adjacent = chosen == list(range(chosen[0], chosen[0] + len(chosen)))
    plain = all(one.rank == 1 and one.spec.dtype != BOOL for one in arrays)
    if not adjacent or not plain or any(map(items.is_dots, parts[: chosen[0]])):
        raise state.unknown_size()
    made, extents = aligned(state, arrays)
    (extent,) = extents
    assert extent is not None
    inside = [masked(state, extended(one, extents), 0) for one in made if isinstance(one, Array)]
    given = iter(inside)
    return [next(given) if isinstance(part, Array) else part for part in parts], extent, chosen[0]


def at_places(state: Lowering, array: Array, parts: Sequence[Part], spec: Spec) -> Form:
    """Write ``array[places]``."""
    inside, extent, axis = places(state, parts)
    found = items.get_parts(state, array, inside, spec)
    if not isinstance(found, Array):
        raise state.refusal("AT301", f"an item of type {spec}")
    extents: list[Extent | None] = [None] * found.rank
    extents[axis] = extent
    return extended(found, extents)


def dropped(state: Lowering, array: Array, parts: Sequence[Part]) -> list[Part]:
    """Return a key of places in which those that do not count lie outside the array, where nothing is stored."""
    inside, extent, _ = places(state, parts)
    items.check_inside(state, array, inside)
    axes = items.axes(inside, array.rank)
    found: list[Part] = []
    for part, axis in zip(inside, axes, strict=True):
        if not isinstance(part, Array):
            found.append(part)
            continue
        args = (state.read(part), extent.length, size(state, array, axis).atom)
        atom = state.expr("support.outside", args, INT, 1)
        found.append(state.array(atom, ArraySpec(part.spec.shape, INT)))
    return found
