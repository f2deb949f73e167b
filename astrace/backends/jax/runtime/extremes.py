"""The largest and smallest items as NumPy computes them: NaN if there is one.

XLA:CPU loses NaN from ``reduce_max`` and ``reduce_min`` where it works on several items at once (openxla/xla#21461
describes one such case).  Which items depends on shape and surroundings, so NaN is searched for separately.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np


def largest(array: Any, **given: Any) -> Any:
    """Compute ``np.max``."""
    return _with_nan(jnp.max(array, **given), array, given)


def least(array: Any, **given: Any) -> Any:
    """Compute ``np.min``."""
    return _with_nan(jnp.min(array, **given), array, given)


def spread(array: Any, **given: Any) -> Any:
    """Compute ``np.ptp``."""
    return _with_nan(jnp.ptp(array, **given), array, given)


def norm(array: Any, **given: Any) -> Any:
    """Compute ``np.linalg.norm`` of an infinite order."""
    return _with_nan(jnp.linalg.norm(array, **given), array, given)


def _with_nan(found: Any, array: Any, given: dict[str, Any]) -> Any:
    """Return a result with NaN where an item is NaN."""
    along = {key: given[key] for key in ("axis", "keepdims") if key in given}
    odd = (
        jnp.max(jnp.isnan(array).astype(np.uint8), initial=np.uint8(0), **along) != 0
    )  # bytes are found faster
    return jnp.where(odd, found.dtype.type(np.nan), found)
