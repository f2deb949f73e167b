"""Conditions under which a call runs through XLA; if one fails, NumPy raises, warns, or has another result.

Those of floats find what NumPy would warn of, and what XLA counts as zero.  They are written with ``lax`` itself, and
without branches: each occurs many times in a program, and JAX traces and compiles all of them.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


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
    return jnp.all(is_inside(indices, size))


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


# -- floats ------------------------------------------------------------------------------------------------

MOST_ITEMS: Final = 4096
"""The number of items up to which operands are always checked: a branch takes longer to compile."""


def no_warning(result: Any, *leaves: Any) -> Any:
    """Return whether NumPy does not warn of a number, or of each item of an array, computed from its leaves."""
    fine = _is_finite(result)
    return (
        fine | _is_explained(result, list(map(_is_nan, leaves)), list(map(_is_finite, leaves)))
        if leaves
        else fine
    )


def no_warnings(result: Any, *leaves: Any) -> Any:
    """Return whether NumPy does not warn of an array whose items are computed from those at their places."""
    return _all(no_warning(result, *leaves))


def no_warning_as_a_whole(result: Any, *leaves: Any) -> Any:
    """Return whether NumPy does not warn of an array, or a number, whose items are computed from many."""
    finite = _all(_is_finite(result))
    if not leaves:
        return finite

    def explained() -> Any:
        nans = [lax.bitwise_not(_all(lax.bitwise_not(_is_nan(one)))) for one in leaves]
        return _all(
            _is_finite(result) | _is_explained(result, nans, [_all(_is_finite(one)) for one in leaves])
        )

    if sum(map(np.size, leaves)) <= MOST_ITEMS:
        return explained()
    return lax.cond(finite, lambda: np.True_, explained)


def _is_explained(result: Any, nans: Sequence[Any], finite: Sequence[Any]) -> Any:
    """Return whether NaN and infinity come from the operands: NaN from NaN, infinity from infinity or NaN.

    Args:
        result: the result; the answer for its finite items does not matter.
        nans: where its leaves are NaN.
        finite: where its leaves are finite.
    """
    known = functools.reduce(operator.or_, nans)
    return known | ~(functools.reduce(operator.and_, finite) | _is_nan(result))


def _is_finite(array: Any) -> Any:
    array = jnp.asarray(array)
    if array.dtype.kind == "c":
        return lax.bitwise_and(lax.is_finite(lax.real(array)), lax.is_finite(lax.imag(array)))
    return lax.is_finite(array)


def _is_nan(array: Any) -> Any:
    array = jnp.asarray(array)
    return lax.ne(array, array)


def all_finite(*arrays: Any) -> Any:
    """Return whether NumPy does not warn of arrays computed from finite numbers."""
    return _all_together(list(map(_is_finite, arrays)))


def _all_together(truths: Sequence[Any]) -> Any:
    """Return whether all items are true.  Arrays of one shape are combined first: each reduction is a task for XLA."""
    found: dict[tuple[int, ...], Any] = {}
    for one in truths:
        known = found.get(one.shape)
        found[one.shape] = one if known is None else lax.bitwise_and(known, one)
    return functools.reduce(lax.bitwise_and, map(_all, found.values()))


def _all(truths: Any) -> Any:
    """Compute ``jnp.all``; XLA:CPU finds the largest of bytes twice as fast."""
    if not truths.ndim:
        return truths
    found = lax.convert_element_type(lax.bitwise_not(truths), np.uint8)
    return lax.eq(lax.reduce(found, np.uint8(0), lax.max, tuple(range(truths.ndim))), np.uint8(0))


LIMITS: Final = {
    np.dtype(np.float64): (np.uint64, 2.0**-511, 2.0**511),
    np.dtype(np.float32): (np.uint32, 2.0**-96, 2.0**96),
}
"""The range of magnitudes whose products and quotients XLA keeps; it counts those below the normal ones as zero."""


def is_well_scaled(*arrays: Any) -> Any:
    """Return whether floats are zero, infinite, NaN, or far from those that XLA counts as zero.

    Complex numbers have to be finite.
    """
    return _all_together([_is_well_scaled(jnp.asarray(one)) for one in arrays])


def _is_well_scaled(array: Any) -> Any:
    """Return whether each item is usual."""
    if array.dtype.kind == "c":
        real, imag = lax.real(array), lax.imag(array)
        return _is_finite(array) & _is_well_scaled(real) & _is_well_scaled(imag)
    kind, low, high = LIMITS[np.dtype(array.dtype)]
    least, most, infinite = (int(np.asarray(one, array.dtype).view(kind)) for one in (low, high, math.inf))

    def full(value: int) -> Any:
        return lax.full_like(bits, value, kind)

    bits = lax.bitcast_convert_type(array, kind)
    bits = lax.bitwise_and(bits, full(np.iinfo(kind).max >> 1))
    bits = lax.sub(bits, full(1))  # zero comes out above all others
    between = lax.le(lax.sub(bits, full(least - 1)), full(most - least))
    return lax.bitwise_or(between, lax.ge(bits, full(infinite - 1)))
