"""Checks that generated programs make of floats: those that NumPy would warn of, and those that XLA counts as zero.

They are written with ``lax`` itself, and without branches: each occurs many times in a program, and JAX traces and
compiles all of them.  ``jnp`` is used only for a common shape.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any, Final

import jax.numpy as jnp
import numpy as np
from jax import lax

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
