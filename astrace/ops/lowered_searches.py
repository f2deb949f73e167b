"""Ops of lowered blocks that look for places in sorted items: `np.searchsorted` and `np.interp`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np


def place_in_items(items: Any, key: Any, side: int) -> int:
    """``np.searchsorted`` of a number of the items' dtype; ``side`` is 1 for the place behind equal items."""
    return int(np.searchsorted(items, key, side=SIDES[side]))


def places_in_items(out: Any, items: Any, keys: Any, side: int) -> None:
    """The same for the numbers of an array of one axis."""
    out[...] = np.searchsorted(items, keys, side=SIDES[side])


def interpolate_items(out: Any, x: Any, places: Any, values: Any) -> None:
    """``np.interp`` of floats, in arrays of one axis; there is a place, and a value for each."""
    with np.errstate(all="ignore"):
        out[...] = np.interp(x, places, values)


SIDES: Final = ("left", "right")
SEARCHES: Final[Mapping[str, Callable[..., Any]]] = {
    function.__name__: function for function in (place_in_items, places_in_items, interpolate_items)
}
"""The ops, and what they do."""
