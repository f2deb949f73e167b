"""What reductions are made of: the ufunc behind each, the result for no items, the item that changes nothing."""

from __future__ import annotations

import contextvars
import functools
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

UFUNCS: Final[Mapping[str, str]] = {
    "sum": "add",
    "prod": "multiply",
    "max": "maximum",
    "min": "minimum",
    "any": "logical_or",
    "all": "logical_and",
}
"""By function, the ufunc that is reduced."""
ACCUMULATING: Final[Mapping[str, str]] = {"cumsum": "add", "cumprod": "multiply"}
"""By function, the ufunc whose results so far it gives."""
OF_NOTHING: Final[Mapping[str, Any]] = {"sum": 0, "prod": 1, "any": False, "all": True}
"""By function, the result for no items."""
LARGEST: Final = frozenset({"max", "amax", "argmax"})
LEAST: Final = frozenset({"min", "amin", "argmin"})
NOT_EMPTY: Final = LARGEST | LEAST
"""Functions that raise where there are no items."""
NEUTRAL: Final[Mapping[str, Any]] = {**OF_NOTHING, "mean": 0, "count_nonzero": 0}
"""By function, the item that changes nothing; those of extremes depend on the dtype."""

BUFFER: Final = 8192
"""The items that NumPy copies at a time from an array that is not in one piece, unless `np.setbufsize` says otherwise."""


@functools.cache
def parts_are_copied() -> bool:
    """Return whether NumPy reduces a part of an array, along all axes, as it does a copy in one piece; tried with sums.

    The part has no more than `BUFFER` items, and NumPy is set as it is at first, whatever the program has chosen.  Which of two zeros
    an extreme gives depends on the distance of the items, too: see `astrace.passes.lowering.functions.reductions`.
    """
    return contextvars.Context().run(_are_as_copies)


def _are_as_copies() -> bool:
    """Return whether sums of parts are those of copies, for parts of some shapes."""
    rng = np.random.default_rng(0)
    for shape in [(2, 2), (3, 3), (2, 9), (9, 2), (17, 40), (64, 128), (3, 4, 5), (2, 1, 7)]:
        around = tuple(2 * size + 2 for size in shape)
        inside = tuple(slice(1, 1 + size) for size in shape)
        given = rng.normal(size=around) * 10.0 ** rng.uniform(-5, 5, around)
        for whole in (given, given.astype(np.float32)):
            part = whole[inside]
            if np.add.reduce(part, axis=None) != np.add.reduce(part.copy().ravel()):
                return False
    return True


def has_neutral_item(name: str) -> bool:
    """Return whether a function gives the same with one more item."""
    return name in NEUTRAL or name in NOT_EMPTY


def neutral_item(name: str, dtype: np.dtype[Any]) -> Any:
    """Return the item of a dtype that changes nothing in the sum, or in another reduction.

    Example:
        >>> neutral_item("prod", np.dtype(float)), neutral_item("max", np.dtype(np.int8)), neutral_item("min", np.dtype(float))
        (1.0, -128, inf)
    """
    if name in NEUTRAL:
        return dtype.type(NEUTRAL[name]).item()
    if dtype.kind == "b":
        return name in LEAST
    if dtype.kind == "f":
        return float("inf" if name in LEAST else "-inf")
    limits = np.iinfo(dtype)
    return int(limits.max if name in LEAST else limits.min)
