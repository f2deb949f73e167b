"""Parts of arrays whose length depends on data: moving them to the front of a variable, and putting them back."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def range_length(start: Any, stop: Any, step: Any) -> Any:
    """Return ``len(range(start, stop, step))``."""
    span = jnp.where(step > 0, stop - start + step - 1, start - stop - step - 1)
    return jnp.maximum(span // jnp.maximum(jnp.abs(step), 1), 0)


def front(array: jax.Array, axis: int, start: Any, step: Any) -> jax.Array:
    """Return an array that begins, along one axis, with each ``step``-th item from ``start``; the rest is anything."""
    count = array.shape[axis]
    if not count:
        return array
    if _is_one(step):
        return jnp.roll(array, -start, axis)
    return jnp.take(array, start + step * jnp.arange(count), axis, mode="clip")


def window(array: jax.Array, axis: int, start: Any, length: int) -> jax.Array:
    """Return ``length`` items of an array along one axis from ``start`` on; those behind its end are anything."""
    if not array.shape[axis]:
        return array
    return jnp.take(array, start + jnp.arange(max(0, length)), axis, mode="clip")


def _is_one(step: Any) -> bool:
    return isinstance(step, int) and step == 1


def put_front(part: jax.Array, whole: jax.Array, axis: int, start: Any, step: Any, length: Any) -> jax.Array:
    """Return an array with the first items of ``part`` where ``front`` took them from."""
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
    """Return an array with the first ``length`` items of ``part`` from ``start`` on."""
    order = jnp.arange(part.shape[axis])
    places = jnp.where(order < length, start + order, whole.shape[axis])
    return whole.at[(slice(None),) * axis + (places,)].set(part, mode="drop", unique_indices=True)


def _along(values: jax.Array, axis: int, rank: int) -> jax.Array:
    """Return values for the places of one axis, to be repeated along the others."""
    return values.reshape(tuple(-1 if one == axis else 1 for one in range(rank)))


def fitting(content: jax.Array, shape: tuple[int, ...]) -> jax.Array:
    """Return an array that is stored to a part of another.

    Raises:
        ValueError: it does not fit.
    """
    if np.broadcast_shapes(content.shape, shape) != shape:
        raise ValueError("an array is stored where it does not fit")
    return content


def masked(array: jax.Array, axis: int, length: Any, fill: Any) -> jax.Array:
    """Return an array with ``fill`` behind the first items of an axis."""
    hit = _along(jnp.arange(array.shape[axis]) < length, axis, array.ndim)
    return jnp.where(hit, array, jnp.asarray(fill, array.dtype))


def fitted(content: jax.Array, whole: jax.Array, axes: tuple[int, ...]) -> jax.Array:
    """Return an array as large as another one; along some axes it is cut off, or padded with anything."""
    for axis in axes:
        missing = whole.shape[axis] - content.shape[axis]
        content = lax.slice_in_dim(
            content, 0, content.shape[axis] + min(0, missing), axis=axis % content.ndim
        )
        widths = [(0, max(0, missing) if one == axis % content.ndim else 0) for one in range(content.ndim)]
        content = jnp.pad(content, widths)
    return jnp.broadcast_to(content, whole.shape)


def selected(array: jax.Array, mask: jax.Array) -> jax.Array:
    """Return the items, or rows, of an array that a mask selects; those behind the last one are anything."""
    flat = array.reshape(mask.size, *array.shape[mask.ndim :])
    (order,) = jnp.nonzero(mask.ravel(), size=mask.size, fill_value=0)
    return flat[order]


def stored_where(whole: jax.Array, mask: jax.Array, content: jax.Array) -> jax.Array:
    """Return an array with the items, or rows, of another one stored in order where a mask is true."""
    if not content.shape[0]:
        return whole
    places = jnp.cumsum(mask.ravel()) - 1
    rows = jnp.take(content, places, axis=0, mode="clip").reshape(*mask.shape, *content.shape[1:])
    chosen = mask.reshape(*mask.shape, *(1 for _ in range(whole.ndim - mask.ndim)))
    return jnp.where(chosen, jnp.broadcast_to(rows, whole.shape), whole)


def outside(indices: jax.Array, length: Any, size: int) -> jax.Array:
    """Return indices of which those that do not count lie outside the array."""
    order = jnp.arange(indices.shape[0])
    return jnp.where(order < length, jnp.where(indices < 0, indices + size, indices), size + order)


def slice_start(size: Any, start: Any, step: Any) -> Any:
    """Return the start of ``slice(start, stop, step)`` on an axis of some size."""
    backward = step is not None and step < 0
    if start is None:
        return jnp.where(backward, size - 1, 0)
    return _cut_off(size, start, backward)


def _cut_off(size: Any, bound: Any, backward: Any) -> Any:
    counted = jnp.where(bound < 0, bound + size, bound)
    return jnp.clip(counted, jnp.where(backward, -1, 0), jnp.where(backward, size - 1, size))


def slice_length(size: Any, start: Any, stop: Any, step: Any) -> Any:
    """Return the number of items of ``slice(start, stop, step)`` on an axis of some size."""
    backward = step is not None and step < 0
    end = jnp.where(backward, -1, size) if stop is None else _cut_off(size, stop, backward)
    return range_length(slice_start(size, start, step), end, 1 if step is None else step)
