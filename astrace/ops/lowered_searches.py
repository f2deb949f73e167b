"""Ops of lowered blocks that sort items, and look for places among them: `np.searchsorted`, `np.interp`, `np.argmax`."""

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


def position_of_max(array: Any) -> Any:
    """``np.argmax`` of an array of one axis that is not empty."""
    return np.argmax(array)


def position_of_min(array: Any) -> Any:
    """``np.argmin`` of an array of one axis that is not empty."""
    return np.argmin(array)


def true_positions(mask: Any, axis: int) -> Any:
    """The indices along an axis of the true elements of an array, in C order."""
    return np.ascontiguousarray(np.nonzero(mask)[axis])


def sort_items(array: Any) -> bool:
    """Sort an array of one axis in place; tell whether any way to sort gives these bits: no NaN, nor zeros of both signs.

    Of many items nothing is told: they are NumPy's.
    """
    array.sort()
    signs = np.signbit(array[array == 0])
    of_one_sign = signs.all() or not signs.any()
    return bool(len(array) <= MOST_SORTED and not np.isnan(array).any() and of_one_sign)


def order_items(places: Any, items: Any) -> bool:
    """Sort an array of one axis in place, and tell where each item was; tell whether any way to sort gives this: all differ."""
    places[...] = np.argsort(items, kind="stable")
    items[...] = items[places]
    return len(items) <= MOST_SORTED and not np.isnan(items).any() and bool((items[1:] != items[:-1]).all())


def order_items_stably(places: Any, items: Any) -> bool:
    """The same, where those that are equal keep their order; of no item that is not a number the way to sort is known."""
    order_items(places, items)
    return len(items) <= MOST_SORTED and not np.isnan(items).any()


MOST_SORTED: Final = 512
"""The most items that are sorted without NumPy's own sort, which is faster for more."""
SIDES: Final = ("left", "right")
SEARCHES: Final[Mapping[str, Callable[..., Any]]] = {
    function.__name__: function for function in (place_in_items, places_in_items, interpolate_items)
}
"""The ops, and what they do."""
SORTS: Final[Mapping[str, Callable[..., bool]]] = {
    function.__name__: function for function in (sort_items, order_items, order_items_stably)
}
