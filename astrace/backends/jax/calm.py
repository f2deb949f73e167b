"""Checks that generated programs make of floats: what NumPy would warn of, and what XLA counts as zero."""

from __future__ import annotations

from typing import Any, Final

import jax.numpy as jnp
import numpy as np
from jax import lax


def _is_explained(result: Any, *leaves: Any) -> Any:
    """Whether what is not finite was so before: NaN came of NaN, infinity of infinity or NaN."""
    unclear = jnp.isnan(result)
    for one in leaves:
        unclear &= ~jnp.isnan(one)
    infinite = jnp.isinf(result)
    for one in leaves:
        infinite &= jnp.isfinite(one)
    return ~(unclear | infinite)


def _all(truths: Any) -> Any:
    """``jnp.all``; XLA:CPU finds the largest of bytes twice as fast."""
    return jnp.max((~truths).astype(np.uint8), initial=np.uint8(0)) == 0


def calm(result: Any, *leaves: Any) -> Any:
    """Whether NumPy does not warn of a number that is made of others."""
    return jnp.isfinite(result) | _is_explained(result, *leaves) if leaves else jnp.isfinite(result)


def all_calm(result: Any, *leaves: Any) -> Any:
    """Whether NumPy does not warn of an array whose items are made of those at their places."""
    finite = _all(jnp.isfinite(result))
    if not leaves:
        return finite
    return lax.cond(finite, lambda: np.True_, lambda: jnp.all(_is_explained(result, *leaves)))


def calm_as_a_whole(result: Any, *leaves: Any) -> Any:
    """Whether NumPy does not warn of an array, or a number, whose items are made of many."""
    finite = _all(jnp.isfinite(result))
    if not leaves:
        return finite

    def explained() -> Any:
        whole = [
            jnp.where(jnp.any(jnp.isnan(one)), jnp.nan, jnp.where(_has_infinity(one), jnp.inf, 0.0))
            for one in leaves
        ]
        return jnp.all(_is_explained(result, *whole))

    return lax.cond(finite, lambda: np.True_, explained)


def _has_infinity(array: Any) -> Any:
    return jnp.any(jnp.isinf(array))


LIMITS: Final = {
    np.dtype(np.float64): (np.uint64, 2.0**-511, 2.0**511),
    np.dtype(np.float32): (np.uint32, 2.0**-96, 2.0**96),
}
"""Between which magnitudes products and quotients are numbers that XLA keeps; it counts those below the normal ones as zero."""


def is_usual(array: Any) -> Any:
    """Whether floats are zero, infinite, NaN, or far from what XLA counts as zero; complex ones have to be finite."""
    array = jnp.asarray(array)
    if array.dtype.kind == "c":
        finite = _all(jnp.isfinite(array))  # of infinite ones each library makes something else
        return finite & is_usual(array.real) & is_usual(array.imag)
    kind, low, high = LIMITS[np.dtype(array.dtype)]
    least, most, infinite = (np.asarray(one, array.dtype).view(kind)[()] for one in (low, high, np.inf))
    bits = lax.bitcast_convert_type(array, kind) & kind(np.iinfo(kind).max >> 1)
    return _all((bits == 0) | ((bits >= least) & (bits <= most)) | (bits >= infinite))
