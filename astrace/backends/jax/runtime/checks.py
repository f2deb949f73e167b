"""Conditions under which a call runs through XLA; if one fails, NumPy raises, or has another result."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp


def from_start(index: Any, size: int) -> Any:
    """Return an index counted from the start, for one that may count from the end."""
    return jnp.where(index < 0, index + size, index)


def is_inside(index: Any, size: int) -> Any:
    """Return whether an index, which may count from the end, is inside; unsigned ones have no ``-size``."""
    if isinstance(index, jax.Array) and index.dtype.kind == "u":
        return index < size
    return (-size <= index) & (index < size)


def all_inside(indices: jax.Array, size: int) -> jax.Array:
    """Return whether all indices of an array are inside."""
    return (
        jnp.all((indices >= -size) & (indices < size))
        if indices.dtype.kind != "u"
        else jnp.all(indices < size)
    )


def are_distinct(*indices: jax.Array) -> jax.Array:
    """Return whether no place occurs twice among indices."""
    flat = [jnp.ravel(one) for one in jnp.broadcast_arrays(*indices)]
    if flat[0].size <= 1:
        return jnp.bool_(True)
    order = jnp.lexsort(flat)
    pairs = [one[order][1:] == one[order][:-1] for one in flat]
    same = pairs[0]
    for pair in pairs[1:]:
        same &= pair
    return ~jnp.any(same)


def same_place(shape: tuple[int, ...], left: tuple[Any, ...], right: tuple[Any, ...]) -> Any:
    """Return whether two keys, whose indices may count from the end, are the same place of an array."""
    same = True
    for size, a, b in zip(shape, left, right, strict=True):
        same &= from_start(a, size) == from_start(b, size)
    return same


def is_monotonic(bins: Any) -> Any:
    """Return whether numbers never fall, or never rise."""
    steps = jnp.diff(bins)
    return jnp.all(steps >= 0) | jnp.all(steps <= 0)


def is_sorted(items: Any) -> Any:
    """Return whether numbers never fall, and none is NaN; else the result of a search depends on its steps."""
    return ~jnp.any(items[1:] < items[:-1]) & ~jnp.any(jnp.isnan(items))


def all_differ(items: Any, axis: int | None) -> Any:
    """Return whether all numbers along an axis differ, and none is NaN, so that there is one order of them."""
    ordered = jnp.sort(items.reshape(-1) if axis is None else items, axis=-1 if axis is None else axis)
    return jnp.all(jnp.diff(ordered.astype(jnp.float64), axis=-1 if axis is None else axis) > 0)


def are_below(indices: Any, shape: int | tuple[int, ...]) -> Any:
    """Return whether indices lie inside an array of a shape, counted from its start."""
    return jnp.all((indices >= 0) & (indices < math.prod(shape if isinstance(shape, tuple) else (shape,))))


def are_apart(values: Any) -> Any:
    """Return whether eigenvalues, or singular values, are so far apart that vectors are determined."""
    gaps = jnp.abs(jnp.diff(values, axis=-1))
    return jnp.all(gaps > 1e-6 * jnp.max(jnp.abs(values), axis=-1, keepdims=True, initial=0.0))


def weighs(weights: Any, axis: int | tuple[int, ...] | None, array: Any) -> Any:
    """Return whether no sum of weights is zero, as an average sums them."""
    along = axis if weights.shape == array.shape else None
    return jnp.all(jnp.sum(weights, along) != 0)


def sum_fits(left: Any, right: Any) -> Any:
    """Return whether a sum of 64-bit integers does not wrap around."""
    total = left + right
    return ((left ^ total) & (right ^ total)) >= 0


def difference_fits(left: Any, right: Any) -> Any:
    """Return whether a difference of 64-bit integers does not wrap around."""
    total = left - right
    return ((left ^ right) & (left ^ total)) >= 0


def product_fits(left: Any, right: Any) -> Any:
    """Return whether a product of integers is certainly held in 64 bits."""
    return jnp.abs(jnp.float64(left) * jnp.float64(right)) < 2.0**62


def power_fits(base: Any, exponent: Any) -> Any:
    """Return whether a power of integers is certainly held in 64 bits."""
    return jnp.abs(jnp.power(jnp.float64(base), jnp.float64(exponent))) < 2.0**62


def shift_fits(value: Any, count: Any, to_left: bool) -> Any:
    """Return whether 64 bits hold the result of a shift."""
    fits = (count >= 0) & (count < 63)
    return fits & (jnp.abs(jnp.float64(value)) * 2.0 ** jnp.float64(count) < 2.0**62) if to_left else fits


def fits_integer(value: Any, dtype: Any) -> jax.Array:
    """Return whether an integer type holds floats whose fractions are cut off."""
    limits = jnp.iinfo(dtype)
    return jnp.all((value > float(limits.min) - 1.0) & (value < float(limits.max) + (limits.bits < 64)))
