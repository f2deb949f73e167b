"""Functions that generated programs call: where NumPy or Python and JAX differ, and what is checked."""

from __future__ import annotations

from typing import Any

import jax
import jax.core
import jax.numpy as jnp
import numpy as np
from jax import lax

from astrace.backends.jax.carrying import (
    MISSING,
    cond,
    fori_loop,
    open_cond,
    open_fori_loop,
    open_while_loop,
    promoted,
    scan,
    while_loop,
)
from astrace.backends.jax.conditions import (
    all_differ,
    all_inside,
    are_apart,
    are_below,
    are_distinct,
    difference_fits,
    fits_integer,
    from_start,
    is_inside,
    is_monotonic,
    is_sorted,
    power_fits,
    product_fits,
    same_place,
    shift_fits,
    sum_fits,
    weighs,
)
from astrace.ops.objects import make_object

__all__ = [
    "MISSING",
    "all_differ",
    "all_inside",
    "are_apart",
    "are_below",
    "are_distinct",
    "cond",
    "difference_fits",
    "fits_integer",
    "fori_loop",
    "is_inside",
    "is_monotonic",
    "is_sorted",
    "jnp",
    "lax",
    "make_object",
    "open_cond",
    "open_fori_loop",
    "open_while_loop",
    "power_fits",
    "product_fits",
    "promoted",
    "same_place",
    "scan",
    "shift_fits",
    "sum_fits",
    "weighs",
    "while_loop",
]


# -- programs of JAX's own functions ------------------------------------------------------------------------------


def truth(value: Any) -> Any:
    """Python's truth of an array with one item.

    Raises:
        TypeError: it has another number of items, when JAX traces.
    """
    if jnp.size(value) != 1:
        raise TypeError("the truth of an array that has not just one item")
    return jnp.reshape(value, ()) != 0


def total(array: Any) -> Any:
    """Python's ``sum``."""
    return jnp.sum(array, axis=0) if array.shape[0] else 0


def has_tracer(tree: Any) -> bool:
    """Whether something in a tree stands for an array while JAX traces."""
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(tree))


def unpacked(items: Any, count: int) -> tuple[Any, ...]:
    """The items that ``a, b = items`` binds.

    Raises:
        ValueError: there are more or fewer.
    """
    found = tuple(items)
    if len(found) != count:
        raise ValueError(f"{len(found)} values are unpacked into {count}")
    return found


def chosen(tag: Any, *options: Any) -> Any:
    """The option that counts, in the middle of a program that JAX traces.

    Raises:
        TypeError: one of them is no number or array.
    """
    if any(option is None or isinstance(option, str) for option in options):
        raise TypeError("whether a compiled function gives an array or something else depends on data")
    result = options[-1]
    for index, option in reversed(list(enumerate(options[:-1]))):
        result = jnp.where(tag == index, option, result)
    return result


def must_hold(ok: Any) -> None:
    """Raise where a program has found something wrong, be it when it runs within another one.

    Raises:
        ValueError: it is known to be wrong.
    """
    if isinstance(ok, jax.core.Tracer):
        jax.debug.callback(_raise_unless, ok)
    elif not ok:
        _raise_unless(False)


def _raise_unless(ok: Any) -> None:
    if not ok:
        raise ValueError(
            "a compiled function raised, or met numbers that JAX does not hold, inside a program of JAX's"
        )


# -- checks ------------------------------------------------------------------------------------------------


def place(places: range, index: Any) -> Any:
    """Which item of an array an index of a slice of it names, given the places that the slice takes."""
    return places.start + places.step * jnp.int64(from_start(index, len(places)))


# -- arithmetic ------------------------------------------------------------------------------------------------


def floor_divide(left: Any, right: Any) -> jax.Array:
    """``left // right`` as NumPy computes it: integers divided by zero are zero."""
    if not jnp.issubdtype(jnp.result_type(left, right), jnp.floating):
        safe = jnp.where(right == 0, 1, right)
        return jnp.where(right == 0, 0, jnp.floor_divide(left, safe))
    mod = lax.rem(*jnp.broadcast_arrays(*_alike(left, right)))
    div = (left - mod) / right
    div = jnp.where((mod != 0) & ((right < 0) != (mod < 0)), div - 1, div)
    floor = jnp.floor(div)
    floor = jnp.where(div - floor > 0.5, floor + 1, floor)
    quotient = left / right
    return jnp.where(right == 0, quotient, jnp.where(div == 0, jnp.copysign(0, quotient), floor))


def remainder(left: Any, right: Any) -> jax.Array:
    """``left % right`` as NumPy computes it: integers divided by zero leave zero."""
    if not jnp.issubdtype(jnp.result_type(left, right), jnp.floating):
        safe = jnp.where(right == 0, 1, right)
        return jnp.where(right == 0, 0, jnp.remainder(left, safe))
    mod = lax.rem(*jnp.broadcast_arrays(*_alike(left, right)))
    turned = jnp.where((right < 0) != (mod < 0), mod + right, mod)
    return jnp.where(mod == 0, jnp.copysign(mod, right), turned)


def fmod(left: Any, right: Any) -> jax.Array:
    """``np.fmod`` of integers: divided by zero they leave zero."""
    safe = jnp.where(right == 0, 1, right)
    return jnp.where(right == 0, 0, jnp.fmod(left, safe))


def _alike(left: Any, right: Any) -> tuple[jax.Array, jax.Array]:
    dtype = jnp.result_type(left, right)
    return jnp.asarray(left, dtype), jnp.asarray(right, dtype)


def range_length(start: Any, stop: Any, step: Any) -> Any:
    """``len(range(start, stop, step))``."""
    span = jnp.where(step > 0, stop - start + step - 1, start - stop - step - 1)
    return jnp.maximum(span // jnp.maximum(jnp.abs(step), 1), 0)


# -- lists ---------------------------------------------------------------------------------------------------------


def appended(column: Any, item: Any, length: Any, capacity: int) -> jax.Array:
    """The items of a list with one more; before the first one nobody knows their shape."""
    if column is MISSING:
        column = jnp.zeros((capacity, *jnp.shape(item)), jnp.result_type(item))
    if column.shape[1:] != jnp.shape(item):
        raise ValueError("a list of arrays of several shapes")
    return column.at[length].set(item)


def enlarged(column: jax.Array, capacity: int) -> jax.Array:
    """The items of a list with room for more."""
    more = jnp.zeros((capacity - column.shape[0], *column.shape[1:]), column.dtype)
    return jnp.concatenate([column, more])


# -- arrays ------------------------------------------------------------------------------------------------------


def first(array: jax.Array) -> jax.Array:
    """The only item of an array; of none, or several, any number."""
    return array.reshape(-1)[0] if array.size else jnp.zeros((), array.dtype)


def arange(start: Any, stop: Any, step: Any, dtype: Any) -> jax.Array:
    """``np.arange`` of floats."""
    return jnp.asarray(np.arange(start, stop, step, dtype=dtype))


def front(array: jax.Array, axis: int, start: Any, step: Any) -> jax.Array:
    """An array along one axis from ``start`` on, every ``step``-th item; what follows the last one is anything."""
    count = array.shape[axis]
    if not count:
        return array
    if _is_one(step):
        return jnp.roll(array, -start, axis)
    return jnp.take(array, start + step * jnp.arange(count), axis, mode="clip")


def window(array: jax.Array, axis: int, start: Any, length: int) -> jax.Array:
    """So many items of an array along one axis from ``start`` on; what follows its end is anything."""
    if not array.shape[axis]:
        return array
    return jnp.take(array, start + jnp.arange(max(0, length)), axis, mode="clip")


def _is_one(step: Any) -> bool:
    return isinstance(step, int) and step == 1


def put_front(part: jax.Array, whole: jax.Array, axis: int, start: Any, step: Any, length: Any) -> jax.Array:
    """An array with the first items of ``part`` where ``front`` took them from."""
    count = whole.shape[axis]
    if not count:
        return whole
    if part.shape[axis] != count:
        return _put_window(part, whole, axis, start, length)
    from_start = jnp.arange(count) - start
    if _is_one(step):
        taken, moved = from_start, jnp.roll(part, start, axis)
        hit = (taken >= 0) & (taken < length)
    else:
        taken = from_start // step
        hit = (from_start % step == 0) & (taken >= 0) & (taken < length)
        moved = jnp.take(part, taken, axis, mode="clip")
    return jnp.where(_along(hit, axis, whole.ndim), moved, whole)


def _put_window(part: jax.Array, whole: jax.Array, axis: int, start: Any, length: Any) -> jax.Array:
    """An array with so many of the items of ``part`` from ``start`` on."""
    order = jnp.arange(part.shape[axis])
    places = jnp.where(order < length, start + order, whole.shape[axis])
    return whole.at[(slice(None),) * axis + (places,)].set(part, mode="drop", unique_indices=True)


def _along(values: jax.Array, axis: int, rank: int) -> jax.Array:
    """Values for the places of one axis, to be repeated along the others."""
    return values.reshape(tuple(-1 if one == axis else 1 for one in range(rank)))


def fitting(content: jax.Array, shape: tuple[int, ...]) -> jax.Array:
    """An array that is stored to a part of another.

    Raises:
        ValueError: it does not fit.
    """
    if np.broadcast_shapes(content.shape, shape) != shape:
        raise ValueError("an array is stored where it does not fit")
    return content


def masked(array: jax.Array, axis: int, length: Any, fill: Any) -> jax.Array:
    """An array with ``fill`` behind the first items of an axis."""
    hit = _along(jnp.arange(array.shape[axis]) < length, axis, array.ndim)
    return jnp.where(hit, array, jnp.asarray(fill, array.dtype))


def fitted(content: jax.Array, whole: jax.Array, axes: tuple[int, ...]) -> jax.Array:
    """An array as large as another one; along some axes it is cut off, or anything is put behind it."""
    for axis in axes:
        missing = whole.shape[axis] - content.shape[axis]
        content = lax.slice_in_dim(
            content, 0, content.shape[axis] + min(0, missing), axis=axis % content.ndim
        )
        widths = [(0, max(0, missing) if one == axis % content.ndim else 0) for one in range(content.ndim)]
        content = jnp.pad(content, widths)
    return jnp.broadcast_to(content, whole.shape)


def selected(array: jax.Array, mask: jax.Array) -> jax.Array:
    """The items, or rows, of an array that a mask selects; what follows the last one is anything."""
    flat = array.reshape(mask.size, *array.shape[mask.ndim :])
    (order,) = jnp.nonzero(mask.ravel(), size=mask.size, fill_value=0)
    return flat[order]


def stored_where(whole: jax.Array, mask: jax.Array, content: jax.Array) -> jax.Array:
    """An array with one item, or row, of another one after the other where a mask says so."""
    if not content.shape[0]:
        return whole
    places = jnp.cumsum(mask.ravel()) - 1
    rows = jnp.take(content, places, axis=0, mode="clip").reshape(*mask.shape, *content.shape[1:])
    chosen = mask.reshape(*mask.shape, *(1 for _ in range(whole.ndim - mask.ndim)))
    return jnp.where(chosen, jnp.broadcast_to(rows, whole.shape), whole)


def outside(indices: jax.Array, length: Any, size: int) -> jax.Array:
    """The first indices; the others are such that there is nothing."""
    order = jnp.arange(indices.shape[0])
    return jnp.where(order < length, jnp.where(indices < 0, indices + size, indices), size + order)


def slice_start(size: Any, start: Any, step: Any) -> Any:
    """Where ``slice(start, stop, step)`` begins on an axis of some size."""
    backward = step is not None and step < 0
    if start is None:
        return jnp.where(backward, size - 1, 0)
    return _cut_off(size, start, backward)


def _cut_off(size: Any, bound: Any, backward: Any) -> Any:
    counted = jnp.where(bound < 0, bound + size, bound)
    return jnp.clip(counted, jnp.where(backward, -1, 0), jnp.where(backward, size - 1, size))


def slice_length(size: Any, start: Any, stop: Any, step: Any) -> Any:
    """How many items ``slice(start, stop, step)`` has on an axis of some size."""
    backward = step is not None and step < 0
    end = jnp.where(backward, -1, size) if stop is None else _cut_off(size, stop, backward)
    return range_length(slice_start(size, start, step), end, 1 if step is None else step)


def with_real(whole: jax.Array, part: jax.Array) -> jax.Array:
    """A complex array with another real part."""
    return lax.complex(part, whole.imag)


def with_imag(whole: jax.Array, part: jax.Array) -> jax.Array:
    """A complex array with another imaginary part."""
    return lax.complex(whole.real, part)
