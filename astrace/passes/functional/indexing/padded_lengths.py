"""Arrays whose length depends on data: masks, and operands that must have the same length.

Such an array is held in a variable of the whole axis: the first items count, those behind them are anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from astrace.ir.block import Value
from astrace.ir.specs import ArraySpec, Dim
from astrace.ops.numpy.reductions import NOT_EMPTY, neutral_item
from astrace.passes.functional.dtypes import BOOL
from astrace.passes.functional.forms import Array, Extent, Form, Number
from astrace.passes.functional.program import Atom, Lit
from astrace.passes.functional.state import Lowering
from astrace.passes.functional.symbolic_sizes import size

Axis: TypeAlias = tuple[Array, int]
"""An array and one of its axes, counted from the last."""


def is_padded(form: object) -> bool:
    """Return whether only the first items of a variable count."""
    return isinstance(form, Array) and bool(form.extents)


def extent_at(array: Array, axis: int) -> Extent | None:
    """Return the extent of an axis whose length depends on data, else ``None``."""
    return array.extents[axis] if array.extents else None


def with_extents(form: Form, extents: Sequence[Extent | None]) -> Form:
    """Return a result that was computed from whole variables, with the extents that count."""
    return extended(form, extents) if isinstance(form, Array) else form


def extended(array: Array, extents: Sequence[Extent | None]) -> Array:
    """Return a whole variable as an array of which the first items count along some axes."""
    if not any(extents):
        return array
    dims = zip(array.spec.shape, extents, strict=True)
    shape = tuple(dim if extent is None else None for dim, extent in dims)
    return replace(array, extents=tuple(extents), spec=ArraySpec(shape, array.dtype))


def whole(state: Lowering, array: Array, atom: Atom) -> Array:
    """Return all that a variable holds, as an array of its own."""
    shape = tuple(_capacity(array, axis) for axis in range(array.rank))
    return state.array(atom, ArraySpec(shape, array.dtype))


# -- the same length ---------------------------------------------------------------------------------------


def check_length(state: Lowering, left: Atom, right: Atom) -> None:
    """Check that lengths are the same, else NumPy raises, or repeats what has one item."""
    if left is not right:
        state.check(state.arithmetic("same_length", (left, right), BOOL))


def together(state: Lowering, places: Sequence[Axis]) -> tuple[Extent | None, Atom | None]:
    """Return the common extent of axes that are passed through at once, and the size that variables have to be cut to.

    Args:
        state: the lowering.
        places: the axes; one of size one is repeated.
    """
    found = [extent_at(*place) for place in places]
    first = next((one for one in found if one is not None), None)
    if first is None:
        return None, None
    long = [place for place in places if extent_at(*place) is not None or place[0].spec.shape[place[1]] != 1]
    for array, axis in long:
        check_length(state, first.length, size(state, array, axis).atom)
    capacities = {_capacity(*place) for place in long}
    if len(capacities) == 1 and None not in capacities:
        return Extent(first.length, capacities.pop()), None
    return Extent(first.length, None), _smallest(state, long)


def _capacity(array: Array, axis: int) -> Dim:
    """Return the size of a variable along an axis, if it is known."""
    extent = extent_at(array, axis)
    return array.spec.shape[axis] if extent is None else extent.capacity


def _smallest(state: Lowering, places: Sequence[Axis]) -> Atom | None:
    if len(places) == 1:
        return None
    sizes = [state.expr("dim", (state.padded(array), Lit(axis)), None) for array, axis in places]
    return state.expr("min", sizes, None)


def cut(state: Lowering, array: Array, axis: int, limit: Atom | None) -> Array:
    """Return an array whose variable has no more than ``limit`` items along an axis; one that is repeated stays."""
    extent = extent_at(array, axis)
    if limit is None or (extent is None and array.spec.shape[axis] == 1):
        return array
    rank = array.rank
    key = (*[slice(None)] * (rank + axis), slice(None, limit))
    atom = state.expr("item", (state.padded(array), key), array.dtype, rank)
    extents = list(array.extents or (None,) * rank)
    extents[axis] = None if extent is None else Extent(extent.length, None)
    shape = list(array.spec.shape)
    shape[axis] = None
    return replace(state.array(atom, ArraySpec(tuple(shape), array.dtype)), extents=tuple(extents))


def aligned(
    state: Lowering, operands: Sequence[Number | Array]
) -> tuple[list[Number | Array], tuple[Extent | None, ...]]:
    """Return operands as whole variables that match item by item, and the extents of the result."""
    arrays = [one for one in operands if isinstance(one, Array)]
    rank = max(one.rank for one in arrays)
    extents: list[Extent | None] = []
    made = list(operands)
    for axis in range(-rank, 0):
        there = [(one, axis) for one in arrays if one.rank >= -axis]
        extent, limit = together(state, there)
        extents.append(extent)
        made = [_cut_there(state, one, axis, limit) for one in made]
    plain = [whole(state, one, state.padded(one)) if isinstance(one, Array) else one for one in made]
    return plain, tuple(extents)


def _cut_there(state: Lowering, one: Number | Array, axis: int, limit: Atom | None) -> Number | Array:
    if isinstance(one, Number) or one.rank < -axis:
        return one
    return cut(state, one, axis, limit)


# -- items that do not count -------------------------------------------------------------------------------


def masked(state: Lowering, array: Array, fill: Any, axes: Sequence[int] | None = None) -> Array:
    """Return an array as a whole variable, with a value in place of the items that do not count.

    Args:
        state: the lowering.
        array: the array.
        fill: the value.
        axes: the axes along which items may not count; ``None`` for all.
    """
    atom = state.padded(array)
    rank = array.rank
    chosen = range(rank) if axes is None else [axis % rank for axis in axes]
    for axis in chosen:
        extent = extent_at(array, axis)
        if extent is not None:
            args = (atom, Lit(axis), extent.length, Lit(fill))
            atom = state.expr("support.masked", args, array.dtype, rank)
    return whole(state, array, atom)


def reduced_axes(state: Lowering, array: Array, axis: Any) -> list[int]:
    """Return the axes that a function reduces."""
    rank = array.rank
    if axis is None:
        return list(range(rank))
    axes: tuple[Any, ...] = axis if isinstance(axis, tuple) else (axis,)
    if not all(type(one) is int and -rank <= one < rank for one in axes):
        raise state.unknown_size()
    return [one % rank for one in axes]


def reducible(state: Lowering, array: Array, name: str, axes: Sequence[int]) -> Array:
    """Return a whole variable of which a function gives the same as of the items that count."""
    for axis in axes:
        extent = extent_at(array, axis)
        if extent is not None and name in NOT_EMPTY:
            state.check(state.once("gt", (extent.length, Lit(0)), BOOL))
    return masked(state, array, neutral_item(name, array.dtype), axes)


def left_over(array: Array, axes: Sequence[int]) -> tuple[Extent | None, ...]:
    """Return the extents of a result without some axes."""
    return tuple(one for axis, one in enumerate(array.extents) if axis not in axes)


# -- products ------------------------------------------------------------------------------------------------


def contracted(state: Lowering, left: Array, right: Array) -> tuple[list[Array], tuple[Extent | None, ...]]:
    """Return the operands of a matrix product as whole variables, and the extents of the result."""
    ranks = left.rank, right.rank
    if not all(1 <= rank <= 2 for rank in ranks):
        raise state.unknown_size()
    inner = -ranks[1]
    extent, limit = together(state, [(left, -1), (right, inner)])
    both: list[Array] = []
    for array, axis in ((left, -1), (right, inner)):
        both.append(_filled(state, cut(state, array, axis, limit), axis, extent))
    rows = left.extents[:-1] or (None,) * (ranks[0] - 1)
    return both, (*rows, *(right.extents[1:] or (None,) * (ranks[1] - 1)))


def _filled(state: Lowering, array: Array, axis: int, extent: Extent | None) -> Array:
    """Return a whole variable with zeros in place of what a product does not count."""
    if extent is None:
        return whole(state, array, state.padded(array))
    extents = list(array.extents or (None,) * array.rank)
    extents[axis] = extent
    return masked(state, replace(array, extents=tuple(extents)), array.dtype.type(0).item(), [axis])


def copied(state: Lowering, array: Array) -> Array:
    """Return a new array of the same contents."""
    atom = state.padded(array)
    assert isinstance(atom, Value)
    return replace(state.array(atom, array.spec), extents=array.extents)
