"""Items that a mask selects, and places that an array of unknown length gives.

The selected items are moved to the front of a variable as long as the axis (see ``padded_lengths``).
"""

from __future__ import annotations

from collections.abc import Sequence

from astrace.backends.jax.lower.indexing import items, keys
from astrace.backends.jax.lower.indexing.keys import Part
from astrace.backends.jax.lower.indexing.padded_lengths import (
    aligned,
    check_length,
    cut,
    extended,
    extent_at,
    masked,
    together,
    whole,
)
from astrace.backends.jax.lower.scalars.conversions import assigned, converted
from astrace.backends.jax.lower.scalars.symbolic_sizes import size
from astrace.backends.jax.lower.state import BOOL, INT, Lowering
from astrace.backends.jax.lower.value_forms import Array, Extent, Form, Number
from astrace.backends.jax.program_ir import Atom, Lit, atom_rank
from astrace.ir.specs import ArraySpec, Spec

NOT_ALONE = "the number of items that a mask selects depends on data"


def mask_of(parts: Sequence[Part]) -> Array | None:
    """Return the mask of a key that is a mask, alone or before whole axes; else ``None``."""
    first = parts[0] if parts else None
    if not isinstance(first, Array) or first.spec.dtype != BOOL or not first.spec.shape:
        return None
    return first if all(map(keys.is_all, parts[1:])) else None


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
    count = state.expr("jnp.sum", (chosen,), INT)
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
    count = state.expr("jnp.sum", (chosen,), INT)
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
    if not adjacent or not plain or any(map(keys.is_dots, parts[: chosen[0]])):
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
    axes = keys.axes(inside, array.rank)
    found: list[Part] = []
    for part, axis in zip(inside, axes, strict=True):
        if not isinstance(part, Array):
            found.append(part)
            continue
        args = (state.read(part), extent.length, size(state, array, axis).atom)
        atom = state.expr("support.outside", args, INT, 1)
        found.append(state.array(atom, ArraySpec(part.spec.shape, INT)))
    return found
